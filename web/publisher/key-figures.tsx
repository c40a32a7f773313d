import { counts, dollars, Figures, share } from '../figures/figures.tsx';
import { useReport } from '../figures/report.ts';
import { useSession } from '../session.ts';
import { type KeyBody, type KeyDayBody, REPORT } from './data.ts';
import { Fills } from './fills.tsx';
import { NoBids } from './no-bids.tsx';

const requests = (day: KeyDayBody) => day.requests;
const bids = (day: KeyDayBody) => day.bids;

const METRICS = [
  counts('Requests', requests),
  counts('Bids', bids),
  share('Fill rate', bids, requests),
  counts('Impressions', (day: KeyDayBody) => day.impressions),
  counts('Clicks', (day: KeyDayBody) => day.clicks),
  dollars('Earnings', (day: KeyDayBody) => day.earnings),
];

/** A key's totals and daily figures, and why other requests got no ad. */
export function KeyFigures({ apiKey: { id, name } }: { apiKey: KeyBody }) {
  const { ads } = useSession();
  const { value: days, problem } = useReport(id, (query) => ads(REPORT, { params: { id }, query }));
  return (
    <Figures
      name={name}
      metrics={METRICS}
      days={days}
      problem={problem}
      loadCsv={(query) => ads.csv(REPORT, { params: { id }, query })}
      below={(days) => (
        <>
          <NoBids days={days} />
          <Fills days={days} />
        </>
      )}
    />
  );
}
