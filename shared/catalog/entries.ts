import { type Biddable, biddableFrom } from '../campaigns/biddable.ts';
import type { CampaignChange } from '../campaigns/changes.ts';
import { hasHistory, isOlder, noSpendStats, type SpendStats } from '../campaigns/spend-stats.ts';
import { type Lexicon, MatchIndex, type MatchOptions, type MatchResult, type Message } from '../matching/index.ts';

export type CatalogEntries = ReturnType<typeof createCatalogEntries>;

/**
 * The campaigns that an instance knows, in memory, with their index for matching. What is older than what is known is passed over,
 * so that changes and snapshots may come in any order, and twice.
 */
export function createCatalogEntries(lexicon: Lexicon) {
  /** Campaigns that may bid, and the money of any campaign: one that may not bid now may do so again. */
  const [campaigns, stats] = [new Map<string, Biddable>(), new Map<string, SpendStats>()];
  const index = new MatchIndex(lexicon);
  /** Of deleted campaigns too: the index of changes may answer late. */
  const versions = new Map<string, number>();

  const isNewer = (id: string, version: number): boolean => {
    if ((versions.get(id) ?? 0) >= version) return false;
    versions.set(id, version);
    return true;
  };

  function indexCampaign(campaign: Biddable): void {
    const { id, placement, maxCpb } = campaign;
    // Nothing would be looked at under a ceiling of 0: a campaign that may bid nothing is found too, and refused with that reason.
    index.set(id, placement, Math.max(1, maxCpb));
    // The index has the words in a shorter form; kept twice they would be most of what a campaign takes.
    campaigns.set(id, { ...campaign, placement: { ...placement, k: '', x: '', w: '' } });
  }

  function remove(id: string): void {
    campaigns.delete(id);
    index.delete(id);
  }

  function addSpendStats(now: SpendStats): void {
    const known = stats.get(now.id);
    if (known ? !isOlder(now, known) : hasHistory(now)) stats.set(now.id, now);
  }

  return {
    apply(change: CampaignChange): void {
      if (change.kind === 'stats') return void addSpendStats(change.stats);
      const { id, version } = change.kind === 'campaign' ? change.campaign : change;
      if (!isNewer(id, version)) return;
      const campaign = change.kind === 'campaign' ? biddableFrom(change.campaign, lexicon) : undefined;
      if (campaign) indexCampaign(campaign);
      else remove(id);
      if (change.kind === 'deleted') stats.delete(id);
    },

    /** Takes in a campaign that another has prepared for bidding, placed by the same lexicon. */
    add(campaign: Biddable): void {
      if (isNewer(campaign.id, campaign.version)) indexCampaign(campaign);
    },

    addSpendStats,

    /** Forgets a campaign, unless it has another version by now. */
    forget(id: string, version: number): void {
      if (versions.get(id) !== version) return;
      versions.delete(id);
      stats.delete(id);
      remove(id);
    },

    /** Versions of the campaigns that may bid. */
    versions: (): Map<string, number> => new Map([...campaigns.values()].map(({ id, version }) => [id, version])),

    size: (): number => campaigns.size,

    match: (messages: readonly Message[], options: MatchOptions): MatchResult => index.match(messages, options),

    find: (id: string): { campaign: Biddable; stats: SpendStats } => ({
      campaign: campaigns.get(id)!,
      stats: stats.get(id) ?? noSpendStats(id),
    }),
  };
}
