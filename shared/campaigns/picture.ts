import type { Effects } from '../effects.ts';
import { type Lexicon, MatchIndex, type MatchOptions, type Message, type Verdict } from '../matching/index.ts';
import { placementOf } from './audience.ts';
import type { Campaign } from './campaign.ts';
import { type Funds, isOlder, noFunds } from './funds.ts';
import { type Change, campaignStore, TOMBSTONE_MS } from './store.ts';

/**
 * Changes this old are looked for again: in the cloud, where clocks differ and the index lags, and on one machine, where a
 * change is only written a little later than it is dated.
 */
const MARGIN_MS = { cloud: 10_000, local: 1_000 };
/** How often everything is read again, as a net under the changes; well before tombstones go. */
const SWEEP_MS = TOMBSTONE_MS / 20;

export type Picture = ReturnType<typeof campaignPicture>;

/**
 * What one bidding instance knows of the campaigns: those that might bid, in memory, with their index for matching.
 * It follows changes by their time; no request reads all campaigns.
 */
export function campaignPicture(effects: Pick<Effects, 'db' | 'clock' | 'config'>, lexicon: Lexicon) {
  const { clock, config } = effects;
  const store = campaignStore(effects);
  const margin = config.campaignRefreshMs > 0 ? MARGIN_MS.cloud : MARGIN_MS.local;
  const campaigns = new Map<string, Campaign>();
  const funds = new Map<string, Funds>();
  const versions = new Map<string, number>();
  const index = new MatchIndex(lexicon);
  let newest: { startedAt: number; done: Promise<void> } | undefined;
  /** When the last refresh that ended well began: all that changed before it, less the margin, is here. */
  let loadedAt: number | undefined;
  let sweptAt = Number.NEGATIVE_INFINITY;

  function apply(change: Change): void {
    if (change.kind === 'funds') {
      const known = funds.get(change.funds.id);
      if (!known || !isOlder(change.funds, known)) funds.set(change.funds.id, change.funds);
      return;
    }
    const { id, version } = change.kind === 'campaign' ? change.campaign : change;
    if ((versions.get(id) ?? 0) >= version) return; // the index may answer late, and the margin repeats
    versions.set(id, version);
    if (change.kind === 'campaign' && (change.campaign.status === 'active' || change.campaign.status === 'paused')) {
      const { campaign } = change;
      const isCurrent = campaign.placement.v === lexicon.version; // of an older version of the service it may not be
      const placement = isCurrent ? campaign.placement : placementOf(campaign, lexicon);
      campaigns.set(id, { ...campaign, placement });
      index.set(id, placement, campaign.maxCpb);
    } else {
      forget(id);
      if (change.kind === 'deleted') funds.delete(id); // a cancelled one may come back to what it has spent
    }
  }

  function forget(id: string): void {
    campaigns.delete(id);
    index.delete(id);
  }

  async function load(startedAt: number, first: Promise<void> | undefined): Promise<void> {
    await first;
    const sweeping = startedAt - sweptAt >= SWEEP_MS;
    const since = sweeping || loadedAt === undefined ? 0 : loadedAt - margin;
    const before = new Set(sweeping ? campaigns.keys() : []);
    for await (const change of store.changedSince(since)) {
      if (change.kind === 'campaign') before.delete(change.campaign.id);
      apply(change);
    }
    if (sweeping) {
      for (const id of before) forget(id); // its tombstone came and went while this instance slept
      sweptAt = startedAt;
    }
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

    /** Matches a conversation with the campaigns of the picture. */
    match: (messages: readonly Message[], options: MatchOptions): Verdict => index.match(messages, options),

    /** A campaign of the picture, and its money. */
    find: (id: string): { campaign: Campaign; funds: Funds } => ({
      campaign: campaigns.get(id)!,
      funds: funds.get(id) ?? noFunds(id),
    }),
  };
}
