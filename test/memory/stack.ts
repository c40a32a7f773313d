import { inject } from 'vitest';
import { loadFunctions } from '../../infra/local/functions.ts';
import { type Stack, startStack } from '../../infra/local/stack.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import type { WorkerEffects } from '../../shared/workers/worker.ts';
import { useStack } from '../harness.ts';
import { memoryDatabase } from './database.ts';
import { memoryQueue } from './queue.ts';

type InMemory = Pick<Stack, 'effects' | 'handlers' | 'workers' | 'stop'> & Partial<Pick<Stack, 'client'>>;

/** Every function on a database and queues in memory; or on the stand-ins where Workers answer, which ask their store over HTTP. */
async function startInMemory(outside: Omit<Effects, 'db'>): Promise<InMemory> {
  if (inject('workers')) return startStack(outside);
  const db = memoryDatabase();
  const effects: WorkerEffects = { ...outside, db, queue: memoryQueue(outside.clock).queue };
  const { http, workers } = await loadFunctions(effects);
  return { effects, handlers: http, workers, stop: async () => {} };
}

/**
 * The service without stand-ins, where thousands of requests ask of the store what others ask of it already: a call of the stand-in
 * costs a hundred times what one of a function does. What depends on the store itself is tested on the stand-in.
 */
export const useServiceInMemory = (settings?: Record<string, string>) => useStack(startInMemory, settings);
