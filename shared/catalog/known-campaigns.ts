import type { DemandMatch } from '../bidding/auction.ts';
import { TOMBSTONE_MS } from '../campaigns/items.ts';
import { isOfConversation, type Lexicon, type MatchOptions, type Message } from '../matching/index.ts';
import type { Effects } from '../platform/effects.ts';
import { withTimeout } from '../platform/timeout.ts';
import { catalogAge, failureNotes } from './age.ts';
import { createCatalogEntries } from './entries.ts';
import { createFirstLoad } from './first-load.ts';
import { snapshotStore } from './snapshot-store.ts';
import { createSweep } from './sweep.ts';
import { waitLimit } from './wait.ts';

/** After so long a sleep the campaigns are learnt anew; well before tombstones go. */
const SLEEP_MS = TOMBSTONE_MS / 5;

const CATALOG_STALE: DemandMatch = {
  noBid: 'catalog_stale',
  candidates: [],
  context: { topics: [], language: null },
};

export type CatalogEffects = Pick<Effects, 'db' | 'clock' | 'config' | 'log' | 'metrics'>;

export interface CatalogOptions {
  /** Whether everything is read again now and then, as a net under the changes. */
  isSwept: boolean;
}
const DEFAULTS: CatalogOptions = { isSwept: true };

/** The campaigns as an instance has come to know them since it began or last slept: loaded once, then followed by their changes. */
export function createKnownCampaigns(effects: CatalogEffects, lexicon: Lexicon, { isSwept } = DEFAULTS) {
  const { clock, config, log, metrics } = effects;
  const { campaignRefreshMs } = config;
  const entries = createCatalogEntries(lexicon);
  const age = catalogAge(clock, campaignRefreshMs);
  const note = failureNotes(log, age);
  const load = createFirstLoad(effects, snapshotStore(effects, lexicon), { entries, age, note });
  const sweep = createSweep(effects, entries, note);
  const msToWait = waitLimit(campaignRefreshMs);
  const isComplete = (): boolean => load.completeSince() !== undefined;

  /** Other requests wait for it too, and it may outlive the one that began it: that one's deadline is not its own. */
  const withoutDeadline = <T>(work: () => T): T => clock.within(Number.POSITIVE_INFINITY, work);

  /** Requests share the loading as they do a query. */
  async function complete(): Promise<void> {
    await load.running();
    if (!isComplete()) await (load.running() ?? load.begin());
  }

  async function bringUpToDate(cameAt: number): Promise<void> {
    if (!isComplete() && !load.running()) return load.begin();
    if (!load.changes()) await load.running();
    await Promise.all([complete(), load.changes()?.catchUp(cameAt, isComplete())]);
  }

  return {
    find: entries.find,
    size: entries.size,
    isComplete,
    cutOff: load.cutOff,

    /** Whether tombstones may have come and gone since the campaigns were last looked at. */
    sleptTooLong(): boolean {
      const changes = load.changes();
      return changes !== undefined && clock.now() - changes.followedUpTo() >= SLEEP_MS;
    },

    match(messages: readonly Message[], options: MatchOptions): DemandMatch {
      if (age.isTooOld() || (!isComplete() && entries.size() === 0)) return CATALOG_STALE;
      const matched = entries.match(messages, options);
      const isTrue = isComplete() || matched.noBid === null || isOfConversation(matched.noBid);
      return isTrue ? matched : { ...matched, noBid: 'catalog_stale' }; // one that fits may be among those still to be read
    },

    async refresh(): Promise<void> {
      const cameAt = clock.now();
      const mayWait = msToWait(cameAt, { isComplete: isComplete(), isTooOld: age.isTooOld() });
      age.wantedSince(cameAt);
      const loadedAt = load.completeSince();
      if (isSwept && loadedAt !== undefined) withoutDeadline(() => sweep(loadedAt));
      const work = withoutDeadline(() => bringUpToDate(cameAt));
      const goOn = () => {}; // with what is known
      await (campaignRefreshMs === 0 ? work : withTimeout(clock, mayWait, () => work, goOn));
      if (age.ms() > campaignRefreshMs) metrics.add('CatalogAge', age.ms());
    },
  };
}
