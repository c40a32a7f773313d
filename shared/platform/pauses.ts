import type { Clock } from './clock.ts';

/** Items handled in one go: some two milliseconds of them. */
const IN_ONE_GO = 20;
/** What larger items may take before they are interrupted too. */
const LONGEST_GO_MS = 5;

/** Hands items on, and every now and then lets whatever waits for the event loop go first. */
export async function* yieldEvery<T>(
  items: Iterable<T> | AsyncIterable<T>,
  clock: Pick<Clock, 'now' | 'pause'>,
): AsyncGenerator<T> {
  let count = 0;
  let since = clock.now();
  for await (const item of items) {
    yield item;
    if (++count % IN_ONE_GO > 0 && clock.now() - since < LONGEST_GO_MS) continue;
    await clock.pause();
    count = 0;
    since = clock.now();
  }
}
