import type { Result } from '../../packages/client/src/index.ts';
import { isReserved } from '../../shared/platform/values/dimensions.ts';
import { Breakdown, type Dimension } from '../figures/breakdown.tsx';
import { useSession } from '../session.ts';
import type { CampaignBody } from './bodies.ts';
import { ExcludePublisher } from './exclude-publisher.tsx';
import type { ReportDayBody } from './figures.tsx';
import { METRICS } from './metrics.ts';

const REPORT = 'GET /api/v1/campaigns/{id}/report';
type ValueDayBody = Extract<Result<typeof REPORT>[number], { value: string }>;

const DIMENSIONS: readonly Dimension<ValueDayBody['by']>[] = [
  { by: 'country', name: 'Country' },
  { by: 'publisher', name: 'Publisher' },
  { by: 'topic', name: 'Topic', none: 'None: no known topic, or the reader opted out of personalized ads.' },
  { by: 'creative', name: 'Creative' },
  { by: 'variant', name: 'Variant', none: 'None: the publisher ran no test, or the reader opted out.' },
];

interface CampaignBreakdownProps {
  campaign: CampaignBody;
  /** Null while they load. */
  days: readonly ReportDayBody[] | null;
  onSaved(saved: CampaignBody): void;
}

/** A campaign's figures by country, publisher, topic, creative, or variant. */
export function CampaignBreakdown({ campaign, days, onSaved }: CampaignBreakdownProps) {
  const { ads } = useSession();
  const { id, name } = campaign;
  const isEmpty = days?.every(({ impressions, clicks, conversions }) => impressions + clicks + conversions === 0);
  if (isEmpty) return null;
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
      action={(by, { key, name: publisher }) =>
        by === 'publisher' &&
        !isReserved(key) && (
          <ExcludePublisher campaign={campaign} publisher={{ id: key, name: publisher }} onSaved={onSaved} />
        )
      }
    />
  );
}
