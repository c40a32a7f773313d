import type { DemandVerdict } from '../bidding/auction.ts';
import type { Biddable } from '../campaigns/biddable.ts';
import type { SpendStats } from '../campaigns/spend-stats.ts';
import { campaignStore, marginMs, TOMBSTONE_MS } from '../campaigns/store.ts';
import type { Lexicon, MatchOptions, Message } from '../matching/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import { yieldEvery } from '../platform/pauses.ts';
import { Unavailable } from '../platform/unavailable.ts';
import { createCatalogEntries } from './entries.ts';
import { type ResumableRead, readAll, readIndex } from './read-all.ts';
import { snapshotStore } from './snapshot-store.ts';

/** How long a request waits for what has changed when it could be answered without. */
const WAIT_MS = 100;
/** How long it waits where it could not: on an instance that is still learning the campaigns, or was frozen. */
const LONG_WAIT_MS = 300;
/** An instance without a request for so many refresh intervals was probably frozen: what it knows is old, its connections may be gone. */
const FROZEN_INTERVALS = 10;
/** While the store keeps a query waiting no other is sent, for so long: it need not refuse one from every second too. */
const LONGEST_QUERY_MS = 10_000;
/**
 * Where every request has a query of its own and waits for its end (CAMPAIGN_REFRESH_SECONDS is 0), one that the store refuses ends
 * in time to bid with what is known.
 */
const OWN_QUERY_MS = 500;
/** Bids are made from campaigns as they were so long ago at most, while the store gives nothing newer; or two refresh intervals. */
const MOST_AGE_MS = 60_000;
/** How often everything is read again, as a net under the changes. */
const SWEEP_MS = TOMBSTONE_MS / 20;
/** After so long a sleep the campaigns are learnt anew; well before tombstones go. */
const SLEEP_MS = TOMBSTONE_MS / 5;

type CatalogEffects = Pick<Effects, 'db' | 'clock' | 'config' | 'log' | 'metrics'>;

export type Catalog = ReturnType<typeof createCatalog>;

/**
 * The catalog: what one bidding instance knows of the campaigns, those that might bid, in memory, with their index for matching.
 * A new instance learns them from the snapshot while it answers already; then it follows changes by their time.
 */
export function createCatalog(effects: CatalogEffects, lexicon: Lexicon) {
  let known = followCampaigns(effects, lexicon);
  return {
    /**
     * Makes the catalog no older than CAMPAIGN_REFRESH_SECONDS: at most one query, and none while it is fresh. Never fails and
     * takes its time: what is not known when a bid can wait no longer comes to be known beside it.
     */
    refresh(): Promise<void> {
      if (known.sleptTooLong()) known = followCampaigns(effects, lexicon);
      return known.refresh();
    },

    /** Matches a conversation with the campaigns; with none at all while too little is known of them, or what is known is too old. */
    match: (messages: readonly Message[], options: MatchOptions): DemandVerdict => known.match(messages, options),

    /** A campaign of the catalog, and its money. */
    find: (id: string): { campaign: Biddable; stats: SpendStats } => known.entries.find(id),
  };
}

const CATALOG_STALE: DemandVerdict = { noBid: 'catalog_stale', candidates: [], context: { topics: [] } };

function followCampaigns(effects: CatalogEffects, lexicon: Lexicon) {
  const { clock, config, log, metrics } = effects;
  const { campaignRefreshMs } = config;
  const store = campaignStore(effects);
  const snapshots = snapshotStore(effects, lexicon);
  const entries = createCatalogEntries(lexicon);
  /** Changes before this, less the margin, are known, or are in the snapshot: from here on the index is read. */
  let followedUpTo: number | undefined;
  /** No campaign among the entries is older than this. */
  let knownUpTo: number | undefined;
  /** Whether all campaigns are among the entries. */
  let isComplete = false;
  let readRest: ResumableRead | undefined;
  let loading: Promise<void> | undefined;
  let newest: { startedAt: number; isRunning: boolean; done: Promise<boolean> } | undefined;
  let firstAskedAt: number | undefined;
  let lastAskedAt = 0;
  let wokeAt = 0;
  let sweptAt = 0;
  let sweep: ResumableRead | undefined;
  let isSweeping = false;

  /** How old what is known is; while nothing is, how long it has been wanted. */
  const age = (): number => clock.now() - (knownUpTo ?? firstAskedAt!);

  /** Other requests wait for it too, and it may outlive the one that began it: that one's deadline is not its own. */
  const unhurried = <T>(work: () => T): T => clock.within(Number.POSITIVE_INFINITY, work);

  /** What fails is tried again by a later request; a mistake of our own is told as one. */
  function note(message: string, error: unknown): void {
    const level = error instanceof Unavailable ? 'warn' : 'error';
    log[level](message, { cause: String(error), ageMs: age() });
  }

  /** Reads what has changed, oldest first; what was read before a failure need not be read again. */
  async function follow(startedAt: number): Promise<void> {
    for await (const change of yieldEvery(store.changedSince(followedUpTo! - marginMs(config)), clock)) {
      entries.apply(change);
      followedUpTo = Math.max(followedUpTo!, Math.min(change.at, startedAt));
    }
    followedUpTo = Math.max(followedUpTo!, startedAt);
    knownUpTo = followedUpTo;
  }

  function beginFollowing(startedAt: number): Promise<boolean> {
    const mine = { startedAt, isRunning: true, done: Promise.resolve(false) };
    const hasOwn = campaignRefreshMs === 0 && isComplete;
    const deadline = hasOwn ? clock.now() + OWN_QUERY_MS : Number.POSITIVE_INFINITY;
    mine.done = clock
      .within(deadline, () => follow(startedAt))
      .then(
        () => {
          mine.isRunning = false;
          return true;
        },
        (error) => {
          if (newest === mine) newest = undefined;
          note('changes of campaigns could not be read', error);
          return false;
        },
      );
    newest = mine;
    return mine.done;
  }

  /** The query that a request may share: one as young as it must be, or one that the store keeps waiting. */
  function shared(cameAt: number): Promise<boolean> | undefined {
    if (!newest || campaignRefreshMs === 0) return undefined;
    const longest = newest.isRunning ? Math.max(campaignRefreshMs, LONGEST_QUERY_MS) : campaignRefreshMs;
    return cameAt - newest.startedAt < longest ? newest.done : undefined;
  }

  /** Requests share a query; when that fails, those who did not begin it share another. */
  async function catchUp(cameAt: number): Promise<boolean> {
    const begun = shared(cameAt);
    if (!begun) return beginFollowing(cameAt);
    return (await begun) || (shared(cameAt) ?? beginFollowing(cameAt));
  }

  /**
   * Changes come before the snapshot that they are since: whatever is known of a campaign is then what it is now, however old the
   * snapshot, and requests may be answered while the rest is read.
   */
  async function load(startedAt: number): Promise<void> {
    if (!readRest) {
      const snapshot = await snapshots.find();
      followedUpTo = snapshot?.upTo ?? startedAt;
      if (!snapshot) {
        knownUpTo = startedAt;
        newest = { startedAt, isRunning: false, done: Promise.resolve(true) };
      }
      readRest = readAll(store, snapshots, snapshot, entries, effects);
    }
    await catchUp(startedAt);
    if (knownUpTo === undefined) return;
    await readRest();
    isComplete = true;
    sweptAt = startedAt;
  }

  function beginLoading(): Promise<void> {
    loading = load(clock.now())
      .catch((error) => note('campaigns could not be read', error))
      .finally(() => {
        loading = undefined;
      });
    return loading;
  }

  /** Requests share the loading as they do a query. */
  async function complete(): Promise<void> {
    await loading;
    if (!isComplete) await (loading ?? beginLoading());
  }

  async function bringUpToDate(cameAt: number): Promise<void> {
    if (!isComplete && !loading) return beginLoading();
    if (followedUpTo === undefined) await loading;
    await Promise.all([complete(), followedUpTo !== undefined && catchUp(cameAt)]);
  }

  /** Nobody waits for it; what interrupts it is gone on from by the next. */
  async function sweepBeside(): Promise<void> {
    isSweeping = true;
    sweep ??= readIndex(store, entries, effects);
    try {
      await sweep();
      sweep = undefined;
      sweptAt = clock.now();
    } catch (error) {
      note('the sweep was interrupted', error);
    }
    isSweeping = false;
  }

  return {
    entries,

    /** Whether tombstones may have come and gone since the campaigns were last looked at. */
    sleptTooLong: (): boolean => followedUpTo !== undefined && clock.now() - followedUpTo >= SLEEP_MS,

    match(messages: readonly Message[], options: MatchOptions): DemandVerdict {
      const isTooOld = knownUpTo === undefined || age() > Math.max(MOST_AGE_MS, 2 * campaignRefreshMs);
      if (isTooOld || (!isComplete && entries.size() === 0)) return CATALOG_STALE;
      const verdict = entries.match(messages, options);
      const isTrue = isComplete || verdict.noBid === null || verdict.noBid === 'sensitive_context';
      return isTrue ? verdict : { ...verdict, noBid: 'catalog_stale' }; // one that fits may be among those still to be read
    },

    async refresh(): Promise<void> {
      const cameAt = clock.now();
      if (cameAt - lastAskedAt > FROZEN_INTERVALS * campaignRefreshMs) wokeAt = cameAt;
      lastAskedAt = cameAt;
      firstAskedAt ??= cameAt;
      if (isComplete && cameAt - sweptAt >= SWEEP_MS && !isSweeping) unhurried(sweepBeside);
      const mayWait = !isComplete || cameAt - wokeAt < LONG_WAIT_MS ? LONG_WAIT_MS : WAIT_MS;
      const work = unhurried(() => bringUpToDate(cameAt));
      await (campaignRefreshMs === 0 ? work : within(mayWait, work, clock));
      if (age() > campaignRefreshMs) metrics.add('CatalogAge', age());
    },
  };
}

/** Waits for work that does not fail, but not longer than that. */
const within = (ms: number, work: Promise<void>, clock: Clock): Promise<void> =>
  new Promise((resolve) => {
    const cancel = clock.timer(ms, resolve);
    work.then(resolve).finally(cancel);
  });
