import type { Result } from '../../packages/client/src/index.ts';
import { Breakdown, type Dimension } from '../figures/breakdown.tsx';
import { counts, dollars, share } from '../figures/metrics.ts';
import { useSession } from '../session.ts';
import { type KeyDayBody, REPORT } from './data.ts';

type ValueDayBody = Extract<Result<typeof REPORT>[number], { value: string }>;

const DIMENSIONS: readonly Dimension<ValueDayBody['by']>[] = [
  { by: 'country', name: 'Country' },
  { by: 'domain', name: 'Advertiser' },
  { by: 'variant', name: 'Variant', none: 'None: the request named no variant, or the reader opted out.' },
];

const impressions = (day: ValueDayBody) => day.impressions;
const clicks = (day: ValueDayBody) => day.clicks;

const METRICS = [
  counts('Impressions', impressions),
  counts('Clicks', clicks),
  { ...share('CTR', clicks, impressions, 'clicks'), fullName: 'Click-through rate' },
  counts('Bids', (day: ValueDayBody) => day.bids),
  dollars('Earnings', (day: ValueDayBody) => day.earnings),
];

interface KeyBreakdownProps {
  id: string;
  name: string;
  /** Null while they load. */
  days: readonly KeyDayBody[] | null;
}

/** A key's figures by country, advertiser, or variant. */
export function KeyBreakdown({ id, name, days }: KeyBreakdownProps) {
  const { ads } = useSession();
  if (days?.every(({ bids, impressions: shown, clicks: clicked }) => bids + shown + clicked === 0)) return null;
  return (
    <Breakdown<ValueDayBody['by'], ValueDayBody>
      id={id}
      name={name}
      dimensions={DIMENSIONS}
      metrics={METRICS}
      load={async (by, period) => {
        const rows = await ads(REPORT, { params: { id }, query: { by, ...period } });
        return rows.flatMap((row) => ('value' in row ? [row] : []));
      }}
      loadCsv={(by, period) => ads.csv(REPORT, { params: { id }, query: { by, ...period } })}
    />
  );
}
