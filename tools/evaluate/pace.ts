import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../shared/platform/clock.ts';

/** What one key allows: so many requests in any period of so long (api 1.4). */
interface Rate {
  requests: number;
  periodMs: number;
}

/** Never set back, as the time of day may be. */
const monotonic: Pick<Clock, 'now' | 'sleep'> = { now: () => performance.now(), sleep: setTimeout };

export const BID_RATE: Rate = { requests: 15, periodMs: 1000 };

/**
 * Turns at the keys' rates. Each key gives as many turns as it allows requests, and a turn comes back one period after
 * the answer it was used for. The service counted the request before it answered, so two uses of a turn are at least
 * a period apart there too: no sliding window refuses one, however long requests are on their way.
 */
export function createKeyRotation(
  keys: readonly string[],
  { requests, periodMs }: Rate,
  { now, sleep }: Pick<Clock, 'now' | 'sleep'> = monotonic,
) {
  const free = Array.from({ length: requests }, () => keys.map((key) => ({ key, from: 0 }))).flat();
  return {
    /** How many can be used at once: no more than these may wait. */
    size: free.length,

    async take<T>(act: (key: string) => Promise<T>): Promise<T> {
      const turn = free.shift()!; // turns come back in the order of their times, so the first is the earliest
      // A timer may fire a little early.
      while (turn.from > now()) await sleep(Math.ceil(turn.from - now()));
      try {
        return await act(turn.key);
      } finally {
        free.push({ key: turn.key, from: now() + periodMs });
      }
    },
  };
}
