import type { Deadlines } from './deadlines.ts';

/** The time, passed to everything that needs it, so that tests can control it. */
export interface Clock extends Deadlines {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Lets other work on the event loop run first. */
  pause(): Promise<void>;
  /** Calls `call` after `ms`. The returned function cancels it. */
  timer(ms: number, call: () => void): () => void;
}

/** ISO 8601 in UTC with milliseconds, the format of every timestamp in storage and in responses. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** A moment as the TTL of an item: whole seconds, rounded up so that the item does not expire early. */
export const ttlAt = (ms: number): number => Math.ceil(ms / 1000);

export const MINUTE_MS = 60 * 1000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** Cache of one day, because an auction asks for the same day once per campaign. */
let lastDay = { from: Number.NaN, text: '' };

/** The UTC day of a moment, such as `2026-11-20`. Daily budgets and reports use UTC days. */
export function utcDay(ms: number): string {
  const from = Math.floor(ms / DAY_MS) * DAY_MS;
  if (from !== lastDay.from) lastDay = { from, text: isoTime(ms).slice(0, 10) };
  return lastDay.text;
}

/** Every UTC day of a period, both ends inclusive. */
export function listDates(from: string, to: string): string[] {
  const dates: string[] = [];
  for (let date = from; date <= to; date = utcDay(Date.parse(date) + DAY_MS)) dates.push(date);
  return dates;
}

/** Items between pauses: about two milliseconds of work. */
const BATCH_SIZE = 20;
/** Maximum time without a pause. If items are large and take longer than this, the loop pauses before the batch is complete. */
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
