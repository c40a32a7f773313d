import { AsyncLocalStorage } from 'node:async_hooks';

/** Time as it is handed to everything that needs it, so that tests decide what time it is. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Lets whatever waits for the event loop go first. */
  pause(): Promise<void>;
  /** Calls back after so long, unless it is cancelled by what this gives. */
  timer(ms: number, call: () => void): () => void;
  /**
   * Runs work that has to be through by a moment; everything that it calls finds that moment in `deadline`. Work that outlives
   * whoever began it, or that others wait for too, is given its own: Infinity for none.
   */
  within<T>(deadline: number, work: () => T): T;
  /** When what runs now has to be through, in epoch milliseconds; Infinity when nobody said. */
  deadline(): number;
}

/** Deadlines travel with the work itself: what is made once serves many requests at a time, each with a deadline of its own. */
export function createDeadlines(): Pick<Clock, 'within' | 'deadline'> {
  const current = new AsyncLocalStorage<number>();
  return {
    within: (deadline, work) => current.run(deadline, work),
    deadline: () => current.getStore() ?? Number.POSITIVE_INFINITY,
  };
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

export const DAY_MS = 24 * 60 * 60 * 1000;

/** The UTC day of a moment, `2026-11-20`: the day that day budgets and reports speak of. */
export const utcDay = (ms: number): string => isoTime(ms).slice(0, 10);
