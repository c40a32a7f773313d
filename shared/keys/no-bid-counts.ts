import { MINUTE_MS, utcDay, withTimeout } from '../platform/clock.ts';
import { addTo } from '../platform/count-once.ts';
import type { Effects } from '../platform/effects.ts';
import { remember } from '../platform/values/cache.ts';
import type { NoBidReason } from '../platform/values/outcomes.ts';
import { errorOf } from '../platform/values/typed.ts';
import type { ApiKey } from './api-key.ts';
import { keyDayRow } from './key-day.ts';

/** What an instance holds of a key is written once it is so many, or so old. */
const MAX_COUNT = 100;
const MAX_AGE_MS = MINUTE_MS;
/** Keys of which an instance holds something. */
const MAX_KEYS = 1_000;
/** A request is not held up for longer by what is written beside it. */
const WAIT_MS = 100;
/** What is written may outlive the request beside which it is begun. */
const WRITE_MS = 5_000;

type NotedKey = Pick<ApiKey, 'id' | 'mode'> | undefined;

interface Held {
  day: string;
  since: number;
  count: number;
  reasons: Partial<Record<`noBid_${NoBidReason}`, number>>;
}

/**
 * Why requests had no bid, by key: nothing is stored of such a request but its count, so an instance adds the reasons up and writes them to the
 * row of the key's day beside a later request of that key. What it holds when it ends is lost.
 */
export function createNoBidCounter({ db, clock, log, metrics }: Pick<Effects, 'db' | 'clock' | 'log' | 'metrics'>) {
  const heldOf = new Map<string, Held>();

  function hold(keyId: string, reason: NoBidReason, asked: number): void {
    const now = clock.now();
    const held = heldOf.get(keyId) ?? { day: utcDay(now), since: now, count: 0, reasons: {} };
    held.count += asked;
    held.reasons[`noBid_${reason}`] = (held.reasons[`noBid_${reason}`] ?? 0) + asked;
    remember(heldOf, keyId, held, MAX_KEYS);
  }

  async function write(keyId: string, { day, reasons }: Held): Promise<void> {
    try {
      await db.write(addTo(keyDayRow(keyId, day), reasons));
    } catch (error) {
      log.warn('no-bids not written', { keyId, stack: errorOf(error).stack });
    }
  }

  return {
    /** Takes note of no-bids of a key; for the operators' graphs alone where there is none, or it is for tests. @param key or the promise of one that is looked for yet */
    recorderFor:
      (key: NotedKey | Promise<NotedKey>) =>
      (reason: NoBidReason, asked = 1): void => {
        metrics.add(`NoBids.${reason}`);
        const noteOf = (known: NotedKey) => {
          if (known?.mode === 'live' && asked > 0) hold(known.id, reason, asked);
        };
        if (key instanceof Promise) key.then(noteOf, () => {});
        else noteOf(key);
      },

    /** Writes what is held of a key, if it is time. It does not wait for the key to be authenticated: what is held was counted for requests that were. */
    async flush(keyId: string): Promise<void> {
      const held = heldOf.get(keyId);
      const now = clock.now();
      if (!held || (held.count < MAX_COUNT && now - held.since < MAX_AGE_MS && held.day === utcDay(now))) return;
      heldOf.delete(keyId);
      await withTimeout(
        clock,
        WAIT_MS,
        () => clock.within(now + WRITE_MS, () => write(keyId, held)),
        () => undefined,
      );
    },
  };
}
