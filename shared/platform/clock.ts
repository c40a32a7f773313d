import { createDeadlines, type Deadlines } from './deadlines.ts';

/** Time as it is handed to everything that needs it, so that tests decide what time it is. */
export interface Clock extends Deadlines {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Lets whatever waits for the event loop go first. */
  pause(): Promise<void>;
  /** Calls back after so long, unless it is cancelled by what this gives. */
  timer(ms: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  ...createDeadlines(),
  now: Date.now,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
  timer(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/** ISO 8601 with milliseconds, UTC: how every timestamp is stored and answered. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** A moment as the TTL of an item: whole seconds, not before it. */
export const ttlAt = (ms: number): number => Math.ceil(ms / 1000);

export const MINUTE_MS = 60 * 1000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** The day that was asked for last: an auction asks for that of its moment for every campaign in it. */
let lastDay = { from: Number.NaN, text: '' };

/** The UTC day of a moment, `2026-11-20`: the day that day budgets and reports speak of. */
export function utcDay(ms: number): string {
  const from = Math.floor(ms / DAY_MS) * DAY_MS;
  if (from !== lastDay.from) lastDay = { from, text: isoTime(ms).slice(0, 10) };
  return lastDay.text;
}

/** Returns the result of `work`, or of `onTimeout` after `ms`. The work is not aborted; its later result is ignored. */
export const withTimeout = <T>(
  clock: Pick<Clock, 'timer'>,
  ms: number,
  work: () => Promise<T>,
  onTimeout: () => T | Promise<T>,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const cancel = clock.timer(ms, () => resolve(onTimeout()));
    work().then(resolve, reject).finally(cancel);
  });

/** Items between pauses: about two milliseconds of work. */
const BATCH_SIZE = 20;
/** Pauses earlier if larger items take longer than this. */
const MAX_BATCH_MS = 5;

/** Yields items and pauses regularly, so that other work on the event loop is not blocked. */
export async function* yieldEvery<T>(
  items: Iterable<T> | AsyncIterable<T>,
  clock: Pick<Clock, 'now' | 'pause'>,
): AsyncGenerator<T> {
  let count = 0;
  let since = clock.now();
  for await (const item of items) {
    yield item;
    if (++count % BATCH_SIZE > 0 && clock.now() - since < MAX_BATCH_MS) continue;
    await clock.pause();
    count = 0;
    since = clock.now();
  }
}
