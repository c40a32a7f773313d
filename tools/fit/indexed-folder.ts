import { createCampaign } from '../../shared/campaigns/campaign-schema.ts';
import { toMatchingProfile } from '../../shared/campaigns/matching-profile.ts';
import { merge } from '../../shared/campaigns/merge.ts';
import { DemandIndex, type Lexicon, MatchIndex, type MatchingProfile } from '../../shared/matching/index.ts';
import type { Folder, LabeledRow } from '../evaluate/folder.ts';

/** An indexed campaign of a folder. */
interface IndexedCampaign {
  id: string;
  labels: readonly string[];
  profile: MatchingProfile;
  /** Its bid, a CPM in micro-dollars. */
  ceiling: number;
}

/** The campaigns of a folder, indexed for matching. */
export interface IndexedFolder {
  rows: readonly LabeledRow[];
  /** Indexed by slot in `demand`. */
  campaigns: readonly IndexedCampaign[];
  byId: ReadonlyMap<string, IndexedCampaign>;
  index: MatchIndex;
  demand: DemandIndex;
}

export function indexFolder({ campaigns, rows }: Folder, lexicon: Lexicon): IndexedFolder {
  const indexed = campaigns.map(({ id, labels, body }): IndexedCampaign => {
    const configuration = merge(createCampaign.parse(body));
    return { id, labels, profile: toMatchingProfile(configuration, lexicon), ceiling: configuration.maxCpb };
  });
  const index = new MatchIndex(lexicon);
  const demand = new DemandIndex(lexicon);
  for (const { id, profile, ceiling } of indexed) {
    index.set(id, profile, ceiling);
    demand.set(id, profile, ceiling);
  }
  const byId = new Map(indexed.map((campaign) => [campaign.id, campaign]));
  return { rows, campaigns: indexed, byId, index, demand };
}
