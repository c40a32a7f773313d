import { type Biddable, getMaxBid, toBiddableIfActive } from '../../campaigns/biddable.ts';
import type { CampaignChange } from '../../campaigns/changes.ts';
import { createSpendStats, type SpendStats } from '../../campaigns/spend-stats.ts';
import { type Lexicon, MatchIndex, type MatchOptions, type MatchResult, type Message } from '../../matching/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { createBase, createOverlay } from './overlay.ts';
import type { SnapshotColumns } from './snapshot-shape.ts';

export type CatalogEntries = ReturnType<typeof createCatalogEntries>;

/** Campaigns added to a base's index between pauses. A batch takes about two milliseconds. */
const BATCH_SIZE = 20;

/**
 * The campaigns in memory with their matching index. Ignores outdated versions, so that changes and the base (a snapshot) may arrive in any
 * order, and repeatedly.
 */
export function createCatalogEntries(lexicon: Lexicon) {
  const overlay = createOverlay();
  let index = new MatchIndex(lexicon);
  /** Changes to apply to the index of the expected base; undefined for campaigns that may not bid. */
  let pending: Map<string, Biddable | undefined> | undefined;

  function put(id: string, campaign: Biddable | undefined): void {
    putInIndex(index, id, campaign);
    overlay.put(id, campaign);
    pending?.delete(id); // moves it to the end, so that a running iteration sees the new version
    pending?.set(id, campaign);
  }

  return {
    apply(change: CampaignChange): void {
      if (change.kind === 'stats') return void overlay.addSpendStats(change.stats);
      const { id, version } = change.kind === 'campaign' ? change.campaign : change;
      if (!overlay.recordIfNewer(id, version)) return;
      put(id, change.kind === 'campaign' ? toBiddableIfActive(change.campaign, lexicon) : undefined);
      if (change.kind === 'deleted') overlay.dropSpendStats(id); // frees memory: no later request needs them
    },

    /** Adds a campaign that is already prepared for bidding, with a profile of the same lexicon. */
    add(campaign: Biddable): void {
      if (overlay.recordIfNewer(campaign.id, campaign.version)) put(campaign.id, campaign);
    },

    /** Sets whether a base is being loaded. */
    expectBase(isExpected: boolean): void {
      pending = isExpected ? new Map() : undefined;
    },

    /** Replaces the base, and applies newer changes to it in batches. */
    async replaceBase(columns: SnapshotColumns, clock: Pick<Clock, 'pause'>): Promise<void> {
      const base = createBase(columns, lexicon.version);
      const baseIndex = new MatchIndex(lexicon, columns);
      let done = 0;
      const pauseBetweenBatches = () => (++done % BATCH_SIZE === 0 ? clock.pause() : undefined);
      for (const _ of overlay.adoptSpendStats(base)) await pauseBetweenBatches();
      for (const [id, campaign] of pending ?? []) {
        if (!overlay.adoptCampaign(base, id)) putInIndex(baseIndex, id, campaign);
        await pauseBetweenBatches();
      }
      // No await between the last change and this swap: a change in between would be lost.
      overlay.replaceBase(base);
      index = baseIndex;
      pending = undefined;
    },

    /** Forgets a campaign, unless it has another version by now. */
    forget(id: string, version: number): void {
      if (overlay.getCampaign(id)?.version !== version) return;
      index.delete(id);
      overlay.forget(id);
    },

    addSpendStats: overlay.addSpendStats,
    versions: overlay.versions,
    size: (): number => index.size,

    match: (messages: readonly Message[], options: MatchOptions): MatchResult => index.match(messages, options),

    find: (id: string): { campaign: Biddable; stats: SpendStats } => ({
      campaign: overlay.getCampaign(id)!,
      stats: overlay.getSpendStats(id) ?? createSpendStats(id),
    }),
  };
}

function putInIndex(index: MatchIndex, id: string, campaign: Biddable | undefined): void {
  if (campaign) index.set(id, campaign.profile, getMaxBid(campaign));
  else index.delete(id);
}
