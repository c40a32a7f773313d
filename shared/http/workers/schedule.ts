import type { WorkerName } from '../operations/workers.ts';
import { type Invocation, inItsTime } from './invocation.ts';
import type { WorkerEffects } from './worker.ts';

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
