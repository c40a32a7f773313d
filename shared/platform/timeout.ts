import type { Clock } from './clock.ts';

/** The outcome of work, or of `onTimeout` when the work takes longer than that; the work goes on, and nobody waits for it. */
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
