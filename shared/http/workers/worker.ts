import type { Context } from 'aws-lambda';
import type { Clock } from '../../platform/clock.ts';
import type { Effects } from '../../platform/effects.ts';
import type { Queue } from '../../platform/queue.ts';
import type { WorkerName } from '../operations/workers.ts';

export type WorkerEffects = Effects & { queue: Queue };

/** What is left of an invocation to say what is not through, before Lambda ends it. */
const LAST_MS = 2_000;

export type Invocation = Pick<Context, 'getRemainingTimeInMillis'>;

/** Runs the work of an invocation: its calls of the store end before Lambda ends it. On one machine nothing does. */
export const inItsTime = <T>(clock: Clock, invocation: Invocation | undefined, work: () => T): T =>
  clock.within(
    invocation ? clock.now() + invocation.getRemainingTimeInMillis() - LAST_MS : Number.POSITIVE_INFINITY,
    work,
  );

export type ScheduleHandler = (event?: unknown, invocation?: Invocation) => Promise<void>;

/** A function that the time of day wakes. What fails is thrown: the scheduler calls again, and every run does whatever is left. */
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
