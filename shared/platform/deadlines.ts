import { AsyncLocalStorage } from 'node:async_hooks';

/** A call of the outside world that has no answer yet. */
export interface PendingCall {
  /** `transact`, `opine`. */
  call: string;
  /** The tables of a call of the store; several in one transaction. */
  table?: string;
  /** Epoch milliseconds. */
  since: number;
}

export type PendingCalls = Set<PendingCall>;

export interface Deadlines {
  /**
   * Runs work that must finish by a deadline; everything that it calls reads it from `deadline()`. Work that outlives its caller,
   * or that others also wait for, needs its own deadline: Infinity for none.
   */
  within<T>(deadline: number, work: () => T): T;
  /** The deadline of the current work in epoch milliseconds; Infinity if it has none. */
  deadline(): number;
  /** Runs work and keeps its calls that have no answer yet in `calls`. */
  noting<T>(calls: PendingCalls, work: () => T): T;
  /** The pending calls of the current work; undefined outside of `noting`. */
  pendingCalls(): PendingCalls | undefined;
}

interface Context {
  deadline: number;
  calls?: PendingCalls;
}

const NONE: Context = { deadline: Number.POSITIVE_INFINITY };

/** Deadlines travel with the work itself: what is made once serves many requests at a time, each with a deadline of its own. */
export function createDeadlines(): Deadlines {
  const current = new AsyncLocalStorage<Context>();
  const context = () => current.getStore() ?? NONE;
  return {
    within(deadline, work) {
      const outer = context();
      // Work that may outlive the one who began it is not what that one waits for.
      const calls = deadline <= outer.deadline ? outer.calls : undefined;
      return current.run({ deadline, calls }, work);
    },
    deadline: () => context().deadline,
    noting: (calls, work) => current.run({ ...context(), calls }, work),
    pendingCalls: () => context().calls,
  };
}
