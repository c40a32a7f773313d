import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../shared/platform/clock.ts';

/** The rate limit of a key: a number of requests in any period. */
interface Rate {
  requests: number;
  periodMs: number;
}

/** A monotonic clock; the wall clock may be set back. */
const monotonic: Pick<Clock, 'now' | 'sleep'> = { now: () => performance.now(), sleep: setTimeout };

export const BID_RATE: Rate = { requests: 15, periodMs: 1000 };

/**
 * Rotates keys within their rate limits. Each key has one slot per allowed request; a slot becomes free one period after its response. The
 * service counts a request before it responds, so in its sliding window, too, uses of a slot are at least a period apart, whatever the
 * network latency.
 */
export function createKeyRotation(
  keys: readonly string[],
  { requests, periodMs }: Rate,
  { now, sleep }: Pick<Clock, 'now' | 'sleep'> = monotonic,
) {
  const free = Array.from({ length: requests }, () => keys.map((key) => ({ key, from: 0 }))).flat();
  return {
    /** Number of slots. At most this many calls may wait. */
    size: free.length,

    async take<T>(act: (key: string) => Promise<T>): Promise<T> {
      const turn = free.shift()!; // slots are in order of time, so the first is free earliest
      // Timers may fire slightly early.
      while (turn.from > now()) await sleep(Math.ceil(turn.from - now()));
      try {
        return await act(turn.key);
      } finally {
        free.push({ key: turn.key, from: now() + periodMs });
      }
    },
  };
}
