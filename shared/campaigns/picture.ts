import type { Effects } from '../effects.ts';
import { MatchIndex, type Message, type Relevance } from '../matching/index.ts';
import type { Campaign } from './campaign.ts';
import { campaignStore } from './store.ts';

/** How far clocks may differ and the index may lag: changes this old are looked for again. */
const MARGIN_MS = 10_000;

export type Picture = ReturnType<typeof campaignPicture>;

/**
 * What one bidding instance knows of the campaigns: those that might bid, in memory, with their index for matching.
 * It follows changes by their time; no request reads all campaigns.
 */
export function campaignPicture(effects: Pick<Effects, 'db' | 'clock' | 'ids' | 'config'>) {
  const { clock, config } = effects;
  const store = campaignStore(effects);
  const campaigns = new Map<string, Campaign>();
  const versions = new Map<string, number>();
  const index = new MatchIndex();
  let newest: { startedAt: number; done: Promise<void> } | undefined;
  /** When the last refresh that ended well began: all that changed before it, less the margin, is here. */
  let loadedAt: number | undefined;

  function apply(campaign: Campaign): void {
    if ((versions.get(campaign.id) ?? 0) >= campaign.version) return; // the index may answer late, and the margin repeats
    versions.set(campaign.id, campaign.version);
    if (campaign.status === 'active' || campaign.pausedReason) {
      campaigns.set(campaign.id, campaign);
      const { keywords, excludedKeywords, demographics } = campaign.targetAudience;
      index.set(campaign.id, { keywords, excludedKeywords, interests: demographics.interests });
    } else {
      campaigns.delete(campaign.id);
      index.delete(campaign.id);
    }
  }

  async function load(startedAt: number, first: Promise<void> | undefined): Promise<void> {
    await first;
    const since = loadedAt === undefined ? 0 : loadedAt - MARGIN_MS;
    for await (const campaign of store.changedSince(since)) apply(campaign);
    loadedAt = Math.max(loadedAt ?? 0, startedAt);
  }

  return {
    /** Makes the picture no older than CAMPAIGN_REFRESH_SECONDS: at most one query, and none while it is fresh. */
    refresh(): Promise<void> {
      const startedAt = clock.now();
      if (newest && startedAt - newest.startedAt < config.campaignRefreshMs) return newest.done;
      const done = load(startedAt, loadedAt === undefined ? newest?.done : undefined);
      const mine = { startedAt, done };
      newest = mine;
      done.catch(() => {
        if (newest === mine) newest = undefined;
      });
      return done;
    },

    /** The campaigns that have to do with a conversation, most relevant first. */
    match: (messages: readonly Message[]): (Relevance & { campaign: Campaign })[] =>
      index.match(messages).map((match) => ({ ...match, campaign: campaigns.get(match.id)! })),
  };
}
