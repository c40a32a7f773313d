import type { Context } from 'aws-lambda';
import type { Clock } from '../../platform/clock.ts';
import type { Effects } from '../../platform/effects.ts';
import type { Queue } from '../../platform/queue.ts';
import type { WorkerName } from '../operations/workers.ts';

export type WorkerEffects = Effects & { queue: Queue };

/** Time reserved at the end of an invocation to report which records failed. */
const LAST_MS = 2_000;

export type Invocation = Pick<Context, 'getRemainingTimeInMillis'>;

/** Gives the work a deadline, so its store calls fail before Lambda ends the invocation. Locally there is no deadline. */
export const inItsTime = <T>(clock: Clock, invocation: Invocation | undefined, work: () => T): T =>
  clock.within(
    invocation ? clock.now() + invocation.getRemainingTimeInMillis() - LAST_MS : Number.POSITIVE_INFINITY,
    work,
  );

export type ScheduleHandler = (event?: unknown, invocation?: Invocation) => Promise<void>;

/** Defines a function that a schedule invokes. It throws if it fails: the scheduler retries, and each run does whatever is left. */
export function scheduleWorker(name: WorkerName, define: (effects: WorkerEffects) => () => Promise<void>) {
  return (effects: WorkerEffects): ScheduleHandler => {
    const act = define(effects);
    return async (_, invocation) => {
      const startedAt = effects.clock.now();
      await inItsTime(effects.clock, invocation, act);
      effects.log.info('schedule', { operation: name, ms: effects.clock.now() - startedAt });
    };
  };
}
