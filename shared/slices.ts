import type { Clock } from './clock.ts';

/** Items handled in one go: some two milliseconds of them. */
export const SLICE = 20;

/** Hands items on, and after every slice of them lets whatever waits for the event loop go first. */
export async function* inSlices<T>(
  items: Iterable<T> | AsyncIterable<T>,
  clock: Pick<Clock, 'pause'>,
): AsyncGenerator<T> {
  let count = 0;
  for await (const item of items) {
    yield item;
    if (++count % SLICE === 0) await clock.pause();
  }
}
