import type { Clock } from './clock.ts';
import { AttemptTimeout, type DatabaseFault, databaseFaultOf, wrongSetupOf } from './database-faults.ts';
import type { Ids } from './ids.ts';
import { OutOfTime, Unavailable } from './unavailable.ts';

/** How long one call is tried at most, where nobody waits for it with less time. */
const LONGEST_CALL_MS = 2_000;
/** An attempt that has no answer by then gets another beside it; DynamoDB answers in milliseconds. */
const LONGEST_ATTEMPT_MS = 500;
/** No attempt may take more than this part of the time left: others must be able to follow. */
const SHARE_OF_TIME = 1 / 4;
/** With less time left than this, no attempt is made. */
const SHORTEST_ATTEMPT_MS = 25;
const FIRST_PAUSE_MS = 8;
/** After a conflict somebody else got through, so it is soon worth another try; a store that is busy is given time. */
const LONGEST_PAUSE_MS: Record<DatabaseFault, number> = {
  conflict: 250,
  busy: 1_000,
  reset: 1_000,
  unreachable: 1_000,
};

interface RetryOptions {
  clock: Pick<Clock, 'now' | 'sleep' | 'timer' | 'deadline'>;
  ids: Pick<Ids, 'random'>;
  /** Lets go of connections that may be dead. */
  dropIdle: () => void;
}

/** Makes a call of the store, until it is answered or its time is over. */
export type Calling = <T>(call: () => Promise<T>) => Promise<T>;

/** Makes a call, again where what failed passes. @throws OutOfTime at the deadline, Unavailable where that is farther away than a call may take, WrongSetup at once */
type Retrying = <T>(call: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/**
 * Tries until the deadline. Full jitter: a uniform pause below a doubling bound ("Exponential Backoff And Jitter", AWS
 * Architecture Blog, 2015). A pause that would pass the deadline is not begun.
 *
 * An attempt that has no answer in its time goes on beside the next ones, and whichever answers first is the answer: a connection
 * that takes longer to make than an attempt may last would otherwise never be made.
 */
export function createRetrying({ clock, ids, dropIdle }: RetryOptions): Retrying {
  return async function retrying<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const asked = clock.deadline();
    const deadline = Math.min(asked, clock.now() + LONGEST_CALL_MS);
    const Failure = deadline === asked ? OutOfTime : Unavailable;
    const { promise: answer, resolve, reject } = Promise.withResolvers<T>();
    const underWay = new Set<AbortController>();
    let isOver = false;

    /** One attempt. Resolves to why there has to be another; never when it is the answer. */
    function attempt(ms: number): Promise<unknown> {
      const controller = new AbortController();
      underWay.add(controller);
      return new Promise((fail) => {
        const cancel = clock.timer(ms, () => fail(new AttemptTimeout(`no answer within ${Math.round(ms)} ms`)));
        const end = () => {
          cancel();
          underWay.delete(controller);
        };
        call(controller.signal).then(
          (value) => {
            end();
            resolve(value);
          },
          (error) => {
            end();
            if (databaseFaultOf(error)) fail(error);
            else reject(wrongSetupOf(error) ?? error);
          },
        );
      });
    }

    async function tryAgain(): Promise<void> {
      let [bound, resets] = [FIRST_PAUSE_MS, 0];
      for (let pause = 0, cause: unknown; ; ) {
        const left = deadline - clock.now() - pause;
        if (left < SHORTEST_ATTEMPT_MS) throw new Failure('the store cannot answer in time', { cause });
        if (pause > 0) await clock.sleep(pause);
        if (isOver) return;
        cause = await attempt(Math.min(LONGEST_ATTEMPT_MS, left * SHARE_OF_TIME));
        const fault = databaseFaultOf(cause)!;
        if (fault === 'reset' || fault === 'unreachable') dropIdle();
        bound = Math.min(LONGEST_PAUSE_MS[fault], bound * 2);
        pause = fault === 'reset' && resets++ === 0 ? 0 : ids.random() * bound; // a new connection will do
      }
    }

    tryAgain().catch(reject);
    try {
      return await answer;
    } finally {
      isOver = true;
      for (const controller of underWay) controller.abort();
    }
  };
}
