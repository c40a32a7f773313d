import { Figures, NothingInRange } from '../figures/figures.tsx';
import { counts, dollars, notRelevant, share, trust } from '../figures/metrics.ts';
import { useSession } from '../session.ts';
import { type KeyDayBody, REPORT } from './data.ts';
import { Fills } from './fills.tsx';
import { NoBids } from './no-bids.tsx';

const requests = (day: KeyDayBody) => day.requests;
const bids = (day: KeyDayBody) => day.bids;

const METRICS = [
  counts('Requests', requests),
  counts('Bids', bids),
  share('Fill rate', bids, requests, 'bids'),
  counts('Impressions', (day: KeyDayBody) => day.impressions),
  counts('Clicks', (day: KeyDayBody) => day.clicks),
  dollars('Earnings', (day: KeyDayBody) => day.earnings),
  ...notRelevant<KeyDayBody>(),
  ...trust<KeyDayBody>(),
];

interface KeyFiguresProps {
  id: string;
  name: string;
  /** Null while they load. */
  days: readonly KeyDayBody[] | null;
  problem: string | null;
}

/** A key's totals and daily figures, and why other requests got no ad. */
export function KeyFigures({ id, name, days, problem }: KeyFiguresProps) {
  const { ads } = useSession();
  return (
    <Figures
      name={name}
      metrics={METRICS}
      days={days}
      problem={problem}
      loadCsv={(query) => ads.csv(REPORT, { params: { id }, query })}
      empty={<NothingInRange />}
      below={(days) => (
        <>
          <NoBids days={days} />
          <Fills days={days} />
        </>
      )}
    />
  );
}
