import type { Biddable } from '../../campaigns/biddable.ts';
import { readChangesSince, readNewChanges } from '../../campaigns/changes.ts';
import { TOMBSTONE_MS } from '../../campaigns/items.ts';
import type { SpendStats } from '../../campaigns/spend-stats.ts';
import { isCampaignIndependent, type Lexicon, type MatchOptions, type Message } from '../../matching/index.ts';
import { yieldEvery } from '../../platform/clock.ts';
import { withTimeout } from '../../platform/deadlines.ts';
import type { Effects } from '../../platform/effects.ts';
import { getLogLevel } from '../../platform/unavailable.ts';
import type { DemandMatch } from '../auction/auction.ts';
import { createCatalogEntries } from './entries.ts';
import { createSnapshotReader, createSnapshotStore, type Snapshot, type SnapshotStore } from './snapshot.ts';

/** After a sleep of this length, reload all campaigns: tombstones may have expired, and deletions would be missed. */
const SLEEP_MS = TOMBSTONE_MS / 5;
/** Interval for rereading all campaigns, in case a change was missed. */
const SWEEP_MS = TOMBSTONE_MS / 20;

/** Maximum age of the catalog while the store fails (or two refresh intervals, if longer). */
const MAX_AGE_MS = 60_000;

/** How long a request waits for changes when it could be answered without them. */
const WAIT_MS = 100;
/** WAIT_MS while the instance loads the campaigns or after it was frozen. */
const LONG_WAIT_MS = 300;
/** WAIT_MS when the catalog is too old to bid. Leaves time for the bid's own write. */
const MAX_WAIT_MS = 500;
/** After this many refresh intervals without a request, the instance was probably frozen, and its connections may be dead. */
const FROZEN_INTERVALS = 10;

/** While a query hangs, wait this long before another one, to spare a struggling store. */
const MAX_QUERY_MS = 10_000;
/** Timeout of a request's own query (CAMPAIGN_REFRESH_SECONDS=0), after which it bids without it. */
const OWN_QUERY_MS = 500;

const CATALOG_STALE: DemandMatch = { noBid: 'catalog_stale', candidates: [], context: { topics: [], language: null } };

type CatalogEffects = Pick<Effects, 'db' | 'clock' | 'config' | 'log' | 'metrics'>;

/**
 * The catalog: the campaigns in memory of a bidding instance, with their matching index. A new instance loads the snapshot while it
 * already answers requests; then it follows changes.
 */
export function createCatalog(effects: CatalogEffects, lexicon: Lexicon) {
  let known = new KnownCampaigns(effects, lexicon);
  return {
    /**
     * Refreshes a catalog that is older than CAMPAIGN_REFRESH_SECONDS, with at most one query. Never fails, and never delays a request for
     * long: a slow refresh continues in the background.
     */
    refresh(): Promise<void> {
      if (known.sleptTooLong()) known = new KnownCampaigns(effects, lexicon);
      return known.refresh();
    },

    /** Matches a conversation. Returns `catalog_stale` while the catalog is incomplete or too old. */
    match: (messages: readonly Message[], options: MatchOptions): DemandMatch => known.match(messages, options),

    /** A campaign of the catalog with its spend stats. */
    find: (id: string): { campaign: Biddable; stats: SpendStats } => known.find(id),

    size: (): number => known.size(),
    isComplete: (): boolean => known.isComplete() && !known.sleptTooLong(),
  };
}

/** A query for changes, which requests share. */
interface ChangeQuery {
  startedAt: number;
  isRunning: boolean;
  /** Resolves to whether it succeeded. */
  done: Promise<boolean>;
}

/**
 * The campaigns that an instance has loaded since it started or last slept:
 *
 * 1. They are loaded once, from the snapshot or, without one, from the index of changes (`#load`).
 * 2. Each refresh reads newer changes (`#catchUp`). The first refresh reads the changes since the snapshot first, and then the snapshot.
 *    So a campaign in memory is never older than the snapshot, and requests can be answered during the load.
 * 3. At intervals, all campaigns are read again (`#sweep`).
 */
class KnownCampaigns {
  readonly #effects: CatalogEffects;
  readonly #snapshots: SnapshotStore;
  readonly #entries: ReturnType<typeof createCatalogEntries>;

  /** Time of the first request. */
  #wantedSince: number | undefined;
  /** The entries include all changes up to this time; undefined while nothing is loaded. */
  #knownUpTo: number | undefined;
  /** Changes before this, less the margin, have been read; undefined until a snapshot was searched for. */
  #followedUpTo: number | undefined;
  #query: ChangeQuery | undefined;

  #loading: Promise<void> | undefined;
  /** Reads the remaining campaigns. After a failure, it resumes where it stopped. */
  #readRest: (() => Promise<void>) | undefined;
  /** When the completed load started; undefined before. */
  #completeSince: number | undefined;

  #sweptAt = 0;
  #isSweeping = false;
  #readAgain: (() => Promise<void>) | undefined;

  #lastAskedAt = 0;
  #wokeAt = 0;

  constructor(effects: CatalogEffects, lexicon: Lexicon) {
    this.#effects = effects;
    this.#snapshots = createSnapshotStore(effects, lexicon);
    this.#entries = createCatalogEntries(lexicon);
  }

  size = (): number => this.#entries.size();
  find = (id: string) => this.#entries.find(id);
  isComplete = (): boolean => this.#completeSince !== undefined;

  /** Whether tombstones may have expired since the last refresh. */
  sleptTooLong = (): boolean =>
    this.#followedUpTo !== undefined && this.#effects.clock.now() - this.#followedUpTo >= SLEEP_MS;

  match(messages: readonly Message[], options: MatchOptions): DemandMatch {
    if (this.#isTooOld() || (!this.isComplete() && this.size() === 0)) return CATALOG_STALE;
    const matched = this.#entries.match(messages, options);
    const isFinal = this.isComplete() || matched.noBid === null || isCampaignIndependent(matched.noBid);
    return isFinal ? matched : { ...matched, noBid: 'catalog_stale' }; // a campaign that is not loaded yet may match
  }

  async refresh(): Promise<void> {
    const { clock, config, metrics } = this.#effects;
    const { campaignRefreshMs } = config;
    const cameAt = clock.now();
    const maxWaitMs = this.#getMaxWaitMs(cameAt);
    this.#wantedSince ??= cameAt;
    // No request's deadline applies: other requests also wait for this work, and it may outlive the request that started it.
    const withoutDeadline = <T>(work: () => T): T => clock.within(Number.POSITIVE_INFINITY, work);
    if (this.#completeSince !== undefined) withoutDeadline(() => this.#sweep());
    const work = withoutDeadline(() => this.#bringUpToDate(cameAt));
    const continueWithoutChanges = () => {};
    await (campaignRefreshMs === 0 ? work : withTimeout(clock, maxWaitMs, () => work, continueWithoutChanges));
    if (this.#ageMs() > campaignRefreshMs) metrics.add('CatalogAge', this.#ageMs());
  }

  /** Age of the catalog; before the first load, the time since the first request. */
  #ageMs = (): number => {
    const now = this.#effects.clock.now();
    return now - (this.#knownUpTo ?? this.#wantedSince ?? now);
  };

  #isTooOld = (): boolean =>
    this.#knownUpTo === undefined || this.#ageMs() > Math.max(MAX_AGE_MS, 2 * this.#effects.config.campaignRefreshMs);

  /** How long a request may wait for the refresh. */
  #getMaxWaitMs(cameAt: number): number {
    const frozenMs = FROZEN_INTERVALS * this.#effects.config.campaignRefreshMs;
    if (cameAt - this.#lastAskedAt > frozenMs) this.#wokeAt = cameAt;
    this.#lastAskedAt = cameAt;
    if (this.isComplete() && this.#isTooOld()) return MAX_WAIT_MS;
    return !this.isComplete() || cameAt - this.#wokeAt < LONG_WAIT_MS ? LONG_WAIT_MS : WAIT_MS;
  }

  async #bringUpToDate(cameAt: number): Promise<void> {
    if (!this.isComplete() && !this.#loading) return this.#beginLoading();
    if (this.#followedUpTo === undefined) await this.#loading;
    await Promise.all([
      this.#finishLoading(),
      this.#followedUpTo !== undefined && this.#catchUp(cameAt, this.isComplete()),
    ]);
  }

  /** Requests share one load. After a failure, the next request resumes it. */
  async #finishLoading(): Promise<void> {
    await this.#loading;
    if (!this.isComplete()) await (this.#loading ?? this.#beginLoading());
  }

  #beginLoading(): Promise<void> {
    const mine = this.#load(this.#effects.clock.now())
      .catch((error) => this.#logFailure('campaigns could not be read', error))
      .finally(() => {
        this.#loading = undefined;
      });
    this.#loading = mine;
    return mine;
  }

  async #load(startedAt: number): Promise<void> {
    if (this.#followedUpTo === undefined) {
      const snapshot = await this.#snapshots.find();
      this.#followedUpTo = snapshot?.upTo ?? startedAt;
      this.#readRest = this.#createReadAll(snapshot);
      if (!snapshot) {
        // All campaigns are about to be read, so no query for changes is needed first.
        this.#knownUpTo = startedAt;
        this.#query = { startedAt, isRunning: false, done: Promise.resolve(true) };
      }
    }
    await this.#catchUp(startedAt, false);
    if (this.#knownUpTo === undefined) return;
    await this.#readRest?.();
    this.#completeSince = startedAt;
  }

  /**
   * Reads the changes since the last query. Requests share a query; if it fails, the waiting requests share a second one.
   * @param isOptional whether a bid can be made without the changes
   */
  async #catchUp(cameAt: number, isOptional: boolean): Promise<boolean> {
    const hasOwn = this.#effects.config.campaignRefreshMs === 0 && isOptional;
    const maxMs = hasOwn ? OWN_QUERY_MS : Number.POSITIVE_INFINITY;
    const shared = this.#sharedQuery(cameAt);
    if (!shared) return this.#beginQuery(cameAt, maxMs);
    return (await shared) || (this.#sharedQuery(cameAt) ?? this.#beginQuery(cameAt, maxMs));
  }

  /** The query that a request may share: a recent one, or one that still waits for the store. */
  #sharedQuery(cameAt: number): Promise<boolean> | undefined {
    const { campaignRefreshMs } = this.#effects.config;
    if (!this.#query || campaignRefreshMs === 0) return undefined;
    const { startedAt, isRunning, done } = this.#query;
    const maxAgeMs = isRunning ? Math.max(campaignRefreshMs, MAX_QUERY_MS) : campaignRefreshMs;
    return cameAt - startedAt < maxAgeMs ? done : undefined;
  }

  #beginQuery(startedAt: number, maxMs: number): Promise<boolean> {
    const { clock } = this.#effects;
    const mine: ChangeQuery = { startedAt, isRunning: true, done: Promise.resolve(false) };
    mine.done = clock
      .within(clock.now() + maxMs, () => this.#readChanges(startedAt))
      .then(
        () => {
          mine.isRunning = false;
          return true;
        },
        (error) => {
          if (this.#query === mine) this.#query = undefined;
          this.#logFailure('changes of campaigns could not be read', error);
          return false;
        },
      );
    this.#query = mine;
    return mine.done;
  }

  /** Reads changes oldest first, so that after a failure the next query continues from the last change. */
  async #readChanges(startedAt: number): Promise<void> {
    const { clock } = this.#effects;
    let upTo = this.#followedUpTo!;
    for await (const change of yieldEvery(readNewChanges(this.#effects, upTo), clock)) {
      this.#entries.apply(change);
      upTo = Math.min(change.at, startedAt);
      this.#followedUpTo = Math.max(this.#followedUpTo!, upTo);
    }
    this.#followedUpTo = Math.max(this.#followedUpTo!, startedAt);
    this.#knownUpTo = this.#followedUpTo;
  }

  /** Reads all campaigns from the snapshot, or from the index if the snapshot is missing or damaged. */
  #createReadAll(snapshot: Snapshot | undefined): () => Promise<void> {
    const { clock, log } = this.#effects;
    const entries = this.#entries;
    const readBase = snapshot && createSnapshotReader(this.#snapshots, snapshot, clock);
    entries.expectBase(snapshot !== undefined);
    let readIndex: (() => Promise<void>) | undefined;
    let isCarriedOn = false;

    return async () => {
      const startedAt = clock.now();
      const details = { from: snapshot ? 'snapshot' : 'index', isCarriedOn };
      isCarriedOn = true;
      const base = readIndex ? undefined : await readBase?.();
      if (base) await entries.replaceBase(base, clock);
      else {
        if (snapshot && !readIndex)
          log.warn('the snapshot is damaged: reading the index', { generation: snapshot.generation });
        entries.expectBase(false);
        readIndex ??= this.#createReadIndex();
        await readIndex();
      }
      log.info('campaigns read', { ...details, count: entries.size(), ms: clock.now() - startedAt });
    };
  }

  /** Reads all campaigns from the index of changes, then forgets those that are not in it. */
  #createReadIndex(): () => Promise<void> {
    const { clock } = this.#effects;
    const entries = this.#entries;
    let unseen: Map<string, number> | undefined;
    let seenUpTo = 0;

    return async () => {
      if (!unseen) {
        const versions = new Map<string, number>();
        for await (const [id, version] of yieldEvery(entries.versions(), clock)) versions.set(id, version);
        unseen = versions;
      }
      for await (const change of yieldEvery(readChangesSince(this.#effects, seenUpTo), clock)) {
        entries.apply(change);
        if (change.kind === 'campaign') unseen.delete(change.campaign.id);
        seenUpTo = change.at;
      }
      for (const [id, version] of unseen) entries.forget(id, version); // its tombstone has expired, or its change was missed
    };
  }

  /** Rereads all campaigns every SWEEP_MS, in the background. The next sweep resumes an interrupted one. */
  async #sweep(): Promise<void> {
    const { clock } = this.#effects;
    const lastRead = Math.max(this.#completeSince ?? 0, this.#sweptAt);
    if (this.#isSweeping || clock.now() - lastRead < SWEEP_MS) return;
    this.#isSweeping = true;
    this.#readAgain ??= this.#createReadIndex();
    try {
      await this.#readAgain();
      this.#readAgain = undefined;
      this.#sweptAt = clock.now();
    } catch (error) {
      this.#logFailure('the sweep was interrupted', error);
    }
    this.#isSweeping = false;
  }

  /** A later request retries. Logs an error only if an operator has to fix the cause. */
  #logFailure(message: string, error: unknown): void {
    this.#effects.log[getLogLevel(error)](message, { cause: String(error), ageMs: this.#ageMs() });
  }
}
