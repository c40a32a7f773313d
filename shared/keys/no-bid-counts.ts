import type { AdStrictness } from '../matching/index.ts';
import { MINUTE_MS, utcDay } from '../platform/clock.ts';
import { addTo } from '../platform/count-once.ts';
import { withTimeout } from '../platform/deadlines.ts';
import type { Effects } from '../platform/effects.ts';
import { remember } from '../platform/values/cache.ts';
import type { NoBidDetails, NoBidReason } from '../platform/values/outcomes.ts';
import { toError } from '../platform/values/typed.ts';
import type { ApiKey } from './api-key.ts';
import { keyDayRow } from './key-day.ts';

/** An instance writes the counts of a key when they reach this number or age. */
const MAX_COUNT = 100;
const MAX_AGE_MS = MINUTE_MS;
/** Maximum number of keys with unwritten counts. */
const MAX_KEYS = 1_000;
/** A request waits at most this long for a write of counts. */
const WAIT_MS = 100;
/** Timeout of a write of counts. It may outlive the request that started it. */
const WRITE_MS = 5_000;

type CountedKey = Pick<ApiKey, 'id' | 'mode'> | undefined;

/** Counts of a key that are not written yet. */
interface PendingCounts {
  day: string;
  since: number;
  count: number;
  counts: Partial<Record<`noBid_${NoBidReason}` | `fill_${AdStrictness}`, number>>;
}

/**
 * Counts requests without a bid, by key and reason, and by the level of strictness that would have filled them. Such a request stores nothing
 * else, so an instance adds up counts in memory and writes them to the row of the key's day during a later request of the key. Unwritten counts are lost when the instance stops.
 */
export function createNoBidCounter({ db, clock, log, metrics }: Pick<Effects, 'db' | 'clock' | 'log' | 'metrics'>) {
  const pendingByKey = new Map<string, PendingCounts>();

  function add(keyId: string, reason: NoBidReason, requests: number, fillsAt: AdStrictness | null): void {
    const now = clock.now();
    const pending = pendingByKey.get(keyId) ?? { day: utcDay(now), since: now, count: 0, counts: {} };
    pending.count += requests;
    const increase = (name: keyof typeof pending.counts, by: number) => {
      pending.counts[name] = (pending.counts[name] ?? 0) + by;
    };
    increase(`noBid_${reason}`, requests);
    if (fillsAt) increase(`fill_${fillsAt}`, 1);
    remember(pendingByKey, keyId, pending, MAX_KEYS);
  }

  async function write(keyId: string, { day, counts }: PendingCounts): Promise<void> {
    try {
      await db.write(addTo(keyDayRow(keyId, day), counts));
    } catch (error) {
      log.warn('no-bids not written', { keyId, stack: toError(error).stack });
    }
  }

  return {
    /**
     * Returns a function that counts no-bids of a key. Without a key, or with a test key, it only counts the metric.
     * @param key the key, or its promise while authentication is pending
     */
    recorderFor:
      (key: CountedKey | Promise<CountedKey>) =>
      (reason: NoBidReason, { asked = 1, fillsAt = null }: NoBidDetails = {}): void => {
        metrics.add(`NoBids.${reason}`);
        const addIfLive = (resolved: CountedKey) => {
          if (resolved?.mode === 'live' && asked > 0) add(resolved.id, reason, asked, fillsAt);
        };
        if (key instanceof Promise) key.then(addIfLive, () => {});
        else addIfLive(key);
      },

    /**
     * Writes the pending counts of a key, if they are due. The current request need not be authenticated yet: the counts are those of
     * authenticated requests.
     */
    async flush(keyId: string): Promise<void> {
      const pending = pendingByKey.get(keyId);
      const now = clock.now();
      if (!pending || (pending.count < MAX_COUNT && now - pending.since < MAX_AGE_MS && pending.day === utcDay(now)))
        return;
      pendingByKey.delete(keyId);
      await withTimeout(
        clock,
        WAIT_MS,
        () => clock.within(now + WRITE_MS, () => write(keyId, pending)),
        () => undefined,
      );
    },
  };
}
