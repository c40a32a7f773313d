import { lambdaHandlers, loadWorker, type WorkerHandlers } from '../../infra/local/functions.ts';
import { createSources } from '../../infra/local/sources.ts';
import { type Stack, startStack } from '../../infra/local/stack.ts';
import { workerNames } from '../../shared/http/operations/workers.ts';
import type { WorkerEffects } from '../../shared/http/workers/worker.ts';
import { openDatabase } from '../../shared/platform/dynamodb.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { tableNames, tableShape } from '../../shared/platform/tables.ts';
import { IS_WHOLE } from '../run-size.ts';
import { createApps, useStack } from '../service.ts';
import { comparableDatabase } from './comparable-database.ts';
import { createMemoryDatabase } from './database.ts';
import { createMemoryClientConfig } from './dynamodb-client.ts';
import { createMemorySources } from './event-sources.ts';
import { createMemoryQueue } from './queue.ts';
import { untyped } from './untyped-database.ts';

/** Every function on an in-memory database and queues; in `npm run test:whole` on the stand-ins. */
export const startInMemory = (
  outside: Omit<Effects, 'db'>,
  through?: Parameters<typeof startStack>[1],
): Promise<Stack> => (IS_WHOLE ? startStack(outside, through) : startOnMemoryDatabase(outside, through));

/** The same, always in memory: for tests that look into the database and the queues. */
export async function startOnMemoryDatabase(
  outside: Omit<Effects, 'db'>,
  through?: Parameters<typeof startStack>[1],
  db = createMemoryDatabase(),
  memoryQueue = createMemoryQueue(outside.clock),
) {
  const { database, compare } = comparableDatabase(db);
  const { config, clock, ids } = outside;
  const client = createMemoryClientConfig(db, config.tablePrefix);
  const sdkDatabase = through && openDatabase({ prefix: config.tablePrefix, clock, ids, client: through(client) });
  const effects: WorkerEffects = { ...outside, db: sdkDatabase ?? database, queue: memoryQueue.queue };
  const loaded = workerNames.map(async (name) => [name, await loadWorker(name, effects)]);
  const workers: WorkerHandlers = Object.fromEntries(await Promise.all(loaded));
  const sources = createSources(outside, createMemorySources(db, memoryQueue), workers);
  const apps = createApps(effects);
  return {
    effects,
    client,
    apps,
    handlers: lambdaHandlers(apps),
    workers,
    memory: db,
    messages: memoryQueue,
    ...sources,
    stop: async () => {
      await sources.stop();
      await compare();
    },
    async sweep() {
      let count = 0;
      for (const table of tableNames) {
        const { key, ttl } = tableShape(table);
        const expired = db.items(table).filter((item) => ttl && item[ttl] < Math.floor(outside.clock.now() / 1000));
        for (const item of expired) {
          await untyped(db).write({
            table,
            key: Object.fromEntries(key.flatMap((part) => (part ? [[part, item[part]]] : []))),
            remove: true,
          });
          count++;
        }
      }
      return count;
    },
  };
}

/**
 * The service for one test file, in memory: a call of a stand-in takes a hundred times as long as a function call. After the tests,
 * the first call of each kind is repeated on the DynamoDB stand-in, which must respond the same. Tests that depend on the stand-ins
 * themselves use `useService`.
 */
export const useServiceInMemory = (settings?: Record<string, string>, more?: Pick<Effects, 'judge'>) =>
  useStack(startInMemory, settings, more);
