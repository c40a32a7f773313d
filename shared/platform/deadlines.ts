import { AsyncLocalStorage } from 'node:async_hooks';
import { Unavailable } from './unavailable.ts';

/** The deadline does not leave enough time for a response. */
export class OutOfTime extends Unavailable {}

/** A call to a store or another service that has not returned yet. */
export interface PendingCall {
  /** Name of the call, such as `transact` or `opine`. */
  call: string;
  /** The table of a store call. A transaction can name several. */
  table?: string;
  /** When the call started, epoch milliseconds. */
  since: number;
}

export type PendingCalls = Set<PendingCall>;

export interface Deadlines {
  /**
   * Runs work that must finish by a deadline; everything it calls reads the deadline from `deadline()`. Work that outlives its caller, or
   * that others also wait for, needs its own deadline (Infinity for none).
   */
  within<T>(deadline: number, work: () => T): T;
  /** The deadline of the current work in epoch milliseconds; Infinity if it has none. */
  deadline(): number;
  /** Runs `work` and keeps its pending calls in `calls`. */
  noting<T>(calls: PendingCalls, work: () => T): T;
  /** The pending calls of the current work; undefined outside of `noting`. */
  pendingCalls(): PendingCalls | undefined;
}

interface Context {
  deadline: number;
  calls?: PendingCalls;
}

const NONE: Context = { deadline: Number.POSITIVE_INFINITY };

/** Keeps deadlines in async context, because one instance of a store serves many requests at the same time. */
export function createDeadlines(): Deadlines {
  const current = new AsyncLocalStorage<Context>();
  const context = () => current.getStore() ?? NONE;
  return {
    within(deadline, work) {
      const outer = context();
      // The caller does not wait for work with a later deadline, so that work is not among its pending calls.
      const calls = deadline <= outer.deadline ? outer.calls : undefined;
      return current.run({ deadline, calls }, work);
    },
    deadline: () => context().deadline,
    noting: (calls, work) => current.run({ ...context(), calls }, work),
    pendingCalls: () => context().calls,
  };
}

/** Returns the result of `work`, or of `onTimeout` after `ms`. The work is not aborted; its later result is ignored. */
export const withTimeout = <T>(
  clock: { timer(ms: number, call: () => void): () => void },
  ms: number,
  work: () => Promise<T>,
  onTimeout: () => T | Promise<T>,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const cancel = clock.timer(ms, () => resolve(onTimeout()));
    work().then(resolve, reject).finally(cancel);
  });
