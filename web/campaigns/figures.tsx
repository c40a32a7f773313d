import { useState } from 'preact/hooks';
import type { Result } from '../../packages/client/src/index.ts';
import { Chart, type Metric, RangePicker, rateOf, sumOf } from '../figures/chart.tsx';
import { periodOf, type Range, utcDate } from '../figures/range.ts';
import { Download } from '../parts/download.tsx';
import { useLive } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSession } from '../session.ts';
import { formatCount, formatPercent, formatShort, formatShortUsd, formatUsd } from '../words.ts';

type ReportDayBody = Result<'GET /api/v1/campaigns/{id}/report'>[number];

const count = (name: string, of: (day: ReportDayBody) => number): Metric<ReportDayBody> => ({
  name,
  of,
  total: sumOf(of),
  isWhole: true,
  format: formatCount,
  formatAxis: formatShort,
});
const usd = { isWhole: false, format: (value: number) => formatUsd(value), formatAxis: formatShortUsd };
const impressions = (day: ReportDayBody) => day.impressions;
const clicks = (day: ReportDayBody) => day.clicks;
const spend = (day: ReportDayBody) => day.spend;

const METRICS: readonly Metric<ReportDayBody>[] = [
  count('Impressions', impressions),
  count('Clicks', clicks),
  {
    name: 'Click rate',
    ...rateOf(clicks, impressions),
    isWhole: false,
    format: (value) => formatPercent(value),
    formatAxis: (value) => formatPercent(value, 0),
  },
  count('Conversions', (day) => day.conversions),
  { name: 'Spend', of: spend, total: sumOf(spend), ...usd },
  { name: 'Cost per click', ...rateOf(spend, clicks), ...usd },
];

/** What came of a campaign, in all and by day. */
export function Figures({ id, name }: { id: string; name: string }) {
  const { ads } = useSession();
  const [range, setRange] = useState<Range>({ days: 30 });
  const query = periodOf(range, Date.now());
  const { value: days, problem } = useLive(
    () => ads('GET /api/v1/campaigns/{id}/report', { params: { id }, query }),
    [ads, id, query.from, query.to],
  );
  // The service's today, which is the last day of what it reports up to now.
  const today = 'days' in range ? (days?.at(-1)?.date ?? query.to) : utcDate(Date.now());
  return (
    <section class="card" aria-label="Figures">
      <div class="card-head">
        <h2>Figures</h2>
        <RangePicker range={range} today={utcDate(Date.now())} onChange={setRange}>
          <Download
            file={`${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}-${query.from}-${query.to}.csv`}
            load={() => ads.csv('GET /api/v1/campaigns/{id}/report', { params: { id }, query })}
          />
        </RangePicker>
      </div>
      <Problem text={problem} />
      {days ? <Chart metrics={METRICS} days={days} today={today} /> : <Skeleton of="figures" lines={5} />}
    </section>
  );
}
