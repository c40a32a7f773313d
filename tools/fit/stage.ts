import { matchingProfileOf } from '../../shared/campaigns/matching-profile.ts';
import { merge } from '../../shared/campaigns/merge.ts';
import { createCampaign } from '../../shared/campaigns/schema.ts';
import { DemandIndex, type Lexicon, MatchIndex, type MatchingProfile } from '../../shared/matching/index.ts';
import type { Folder, JudgedRow } from '../evaluate/folder.ts';

/** A campaign of a folder as matching knows it. */
interface Staged {
  id: string;
  labels: readonly string[];
  profile: MatchingProfile;
  /** CPM in micro-dollars that it bids. */
  ceiling: number;
}

/** A folder's campaigns in the engine. */
export interface Stage {
  rows: readonly JudgedRow[];
  /** By their slots in `demand`. */
  campaigns: readonly Staged[];
  byId: ReadonlyMap<string, Staged>;
  index: MatchIndex;
  demand: DemandIndex;
}

export function stage({ campaigns, rows }: Folder, lexicon: Lexicon): Stage {
  const staged = campaigns.map(({ id, labels, body }): Staged => {
    const configuration = merge(createCampaign.parse(body));
    return { id, labels, profile: matchingProfileOf(configuration, lexicon), ceiling: configuration.maxCpb };
  });
  const index = new MatchIndex(lexicon);
  const demand = new DemandIndex(lexicon);
  for (const { id, profile, ceiling } of staged) {
    index.set(id, profile, ceiling);
    demand.set(id, profile, ceiling);
  }
  const byId = new Map(staged.map((campaign) => [campaign.id, campaign]));
  return { rows, campaigns: staged, byId, index, demand };
}
