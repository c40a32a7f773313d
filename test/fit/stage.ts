import { placementOf } from '../../shared/campaigns/audience.ts';
import { merge } from '../../shared/campaigns/merge.ts';
import { createCampaign } from '../../shared/campaigns/schema.ts';
import { type Lexicon, MatchIndex, type Placement } from '../../shared/matching/index.ts';
import { Market } from '../../shared/matching/inventory/demand.ts';
import type { Folder, Row } from '../evaluate/folder.ts';

/** A campaign of a folder as matching knows it. */
export interface Staged {
  id: string;
  labels: readonly string[];
  placement: Placement;
  /** CPM in micro-dollars that it bids. */
  ceiling: number;
}

/** A folder's campaigns in the engine. */
export interface Stage {
  rows: readonly Row[];
  campaigns: readonly Staged[];
  index: MatchIndex;
  market: Market;
}

export function stage({ campaigns, rows }: Folder, lexicon: Lexicon): Stage {
  const staged = campaigns.map(({ id, labels, body }): Staged => {
    const configuration = merge(createCampaign.parse(body));
    return { id, labels, placement: placementOf(configuration, lexicon), ceiling: configuration.maxCpb };
  });
  const index = new MatchIndex(lexicon);
  const market = new Market(lexicon);
  for (const { id, placement, ceiling } of staged) {
    index.set(id, placement, ceiling);
    market.set(id, placement, ceiling);
  }
  return { rows, campaigns: staged, index, market };
}
