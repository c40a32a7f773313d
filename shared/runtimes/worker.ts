import { openDatabase } from '../platform/dynamodb.ts';
import { openQueue } from '../platform/queue.ts';
import type { WorkerEffects } from '../workers/worker.ts';
import { cloudEffects } from './effects.ts';

/** The effects of a deployed worker. Its metrics are written with every batch. */
export function cloudWorkerEffects(): WorkerEffects {
  const effects = cloudEffects(openDatabase, 0);
  return { ...effects, queue: openQueue(effects.config.tablePrefix) };
}
