import { openDatabase } from '../../shared/database.ts';
import type { Effects } from '../../shared/effects.ts';
import { workerNames, workerRow } from '../../shared/endpoints.ts';
import { openQueue } from '../../shared/queue.ts';
import type { WorkerEffects } from '../../shared/stream/worker.ts';
import { openCheckpoints } from './checkpoints.ts';
import { createTables, startDynamoDb } from './dynamodb.ts';
import { type HttpHandlers, loadFunctions, type WorkerHandlers } from './functions.ts';
import { startSqs } from './sqs.ts';
import { createStreamPoller } from './streams.ts';
import { sweep } from './sweep.ts';

export interface Stack {
  effects: WorkerEffects;
  handlers: HttpHandlers;
  workers: WorkerHandlers;
  /** Hands on everything that streams and queues hold, until nothing is left. */
  drain(): Promise<void>;
  /** Runs every scheduled function once. */
  runSchedules(): Promise<void>;
  /** Deletes what has expired. */
  sweep(): Promise<number>;
  /** Ends everything that was started. */
  stop(): Promise<void>;
}

/** The whole service on one machine, less its HTTP port: stand-ins, tables, queues, and the very functions that are deployed. */
export async function startStack(
  outside: Pick<Effects, 'config' | 'clock' | 'ids' | 'log' | 'resolve'>,
): Promise<Stack> {
  const { config, clock, ids } = outside;
  const dynamoDb = await startDynamoDb(config);
  try {
    await createTables(dynamoDb.client, config.tablePrefix);
    const sqs = await startSqs(config.dataDir, config.tablePrefix);
    const effects: WorkerEffects = {
      ...outside,
      db: openDatabase({ prefix: config.tablePrefix, clock, ids, client: dynamoDb.client }),
      queue: openQueue(config.tablePrefix, sqs.client),
    };
    const { http, workers } = await loadFunctions(effects);
    const checkpoints = openCheckpoints(config.dataDir);
    const pollers = workerNames.flatMap((name) => {
      const { source } = workerRow(name);
      if (!('stream' in source)) return [];
      const table = config.tablePrefix + source.stream;
      return [createStreamPoller(dynamoDb.client, table, name, workers[name], checkpoints)];
    });
    const schedules = workerNames.filter((name) => 'schedule' in workerRow(name).source);
    return {
      effects,
      handlers: http,
      workers,
      async drain() {
        let handed: number;
        do {
          handed = 0;
          for (const poller of pollers) handed += await poller.drain();
        } while (handed > 0);
      },
      async runSchedules() {
        for (const name of schedules) await workers[name]();
      },
      sweep: () => sweep(dynamoDb.client, config.tablePrefix, clock.now()),
      async stop() {
        await sqs.stop();
        await dynamoDb.stop();
      },
    };
  } catch (error) {
    await dynamoDb.stop();
    throw error;
  }
}
