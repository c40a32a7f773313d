import { openDatabase } from '../../platform/dynamodb.ts';
import { openQueue } from '../../platform/queue.ts';
import type { WorkerEffects } from '../workers/worker.ts';
import { cloudEffects } from './effects.ts';
import type { createJudgeFromConfig } from './judge.ts';

/** The effects of a deployed worker. It writes its metrics after every batch. */
export function cloudWorkerEffects(judgeFor?: typeof createJudgeFromConfig): WorkerEffects {
  const effects = cloudEffects(openDatabase, 0, judgeFor);
  return { ...effects, queue: openQueue(effects.config.tablePrefix) };
}
