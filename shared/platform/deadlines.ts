import { AsyncLocalStorage } from 'node:async_hooks';

export interface Deadlines {
  /**
   * Runs work that has to be through by a moment; everything that it calls finds that moment in `deadline`. Work that outlives
   * whoever began it, or that others wait for too, is given its own: Infinity for none.
   */
  within<T>(deadline: number, work: () => T): T;
  /** When what runs now has to be through, in epoch milliseconds; Infinity when nobody said. */
  deadline(): number;
}

/** Deadlines travel with the work itself: what is made once serves many requests at a time, each with a deadline of its own. */
export function createDeadlines(): Deadlines {
  const current = new AsyncLocalStorage<number>();
  return {
    within: (deadline, work) => current.run(deadline, work),
    deadline: () => current.getStore() ?? Number.POSITIVE_INFINITY,
  };
}
