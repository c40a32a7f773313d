import type { Result } from '../../packages/client/src/index.ts';
import { counts, dollars, dollarsPer, Figures, share } from '../figures/figures.tsx';
import { useReport } from '../figures/report.ts';
import { useSession } from '../session.ts';

const ROUTE = 'GET /api/v1/campaigns/{id}/report';
type ReportDayBody = Result<typeof ROUTE>[number];

const impressions = (day: ReportDayBody) => day.impressions;
const clicks = (day: ReportDayBody) => day.clicks;
const spend = (day: ReportDayBody) => day.spend;

const METRICS = [
  counts('Impressions', impressions),
  counts('Clicks', clicks),
  share('Click rate', clicks, impressions),
  counts('Conversions', (day: ReportDayBody) => day.conversions),
  dollars('Spend', spend),
  dollarsPer('Cost per click', spend, clicks),
];

/** A campaign's totals and daily figures. */
export function CampaignFigures({ id, name }: { id: string; name: string }) {
  const { ads } = useSession();
  const { value: days, problem } = useReport(id, (query) => ads(ROUTE, { params: { id }, query }));
  return (
    <Figures
      name={name}
      metrics={METRICS}
      days={days}
      problem={problem}
      loadCsv={(query) => ads.csv(ROUTE, { params: { id }, query })}
    />
  );
}
