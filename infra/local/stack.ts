import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { WorkerEffects } from '../../shared/http/workers/worker.ts';
import { openDatabase } from '../../shared/platform/dynamodb.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { openQueue } from '../../shared/platform/queue.ts';
import { createLocalTables, startDynamoDb } from './dynamodb.ts';
import { type Apps, type HttpHandlers, lambdaHandlers, loadFunctions, type WorkerHandlers } from './functions.ts';
import { openQueueClient } from './queue-poller.ts';
import { createSources, type Sources } from './sources.ts';
import { startSqs } from './sqs.ts';
import { openShardReader } from './stream-poller.ts';
import { deleteExpired } from './sweep.ts';

export interface Stack extends Sources {
  effects: WorkerEffects;
  /** SDK configuration for the DynamoDB stand-in. */
  client: DynamoDBClientConfig;
  apps: Apps;
  /** The apps behind the Lambda adapter. */
  handlers: HttpHandlers;
  workers: WorkerHandlers;
  /** Deletes expired items. */
  sweep(): Promise<number>;
  /** Stops everything that was started. */
  stop(): Promise<void>;
}

/**
 * Starts the whole service on one machine, without an HTTP port: stand-ins, tables, queues, and the functions.
 * @param through replaces the client of the tables that functions use
 */
export async function startStack(
  outside: Pick<Effects, 'config' | 'clock' | 'ids' | 'log' | 'metrics' | 'resolve' | 'judge'>,
  through: (client: DynamoDBClientConfig) => DynamoDBClientConfig = (client) => client,
): Promise<Stack> {
  const { config, clock, ids } = outside;
  const dynamoDb = await startDynamoDb(config);
  try {
    await createLocalTables(dynamoDb.client, config.tablePrefix);
    const sqs = await startSqs(config.dataDir, config.tablePrefix);
    const effects: WorkerEffects = {
      ...outside,
      db: openDatabase({ prefix: config.tablePrefix, clock, ids, client: through(dynamoDb.client) }),
      queue: openQueue(config.tablePrefix, sqs.client),
    };
    const { apps, workers } = await loadFunctions(effects);
    const held = {
      shards: (table: string) => openShardReader(dynamoDb.client, config.tablePrefix + table),
      queue: (name: string) => openQueueClient(sqs.client, config.tablePrefix + name),
    };
    const { stop, ...sources } = createSources(outside, held, workers);
    return {
      effects,
      client: dynamoDb.client,
      apps,
      handlers: lambdaHandlers(apps),
      workers,
      ...sources,
      sweep: () => deleteExpired(dynamoDb.client, config.tablePrefix, clock.now()),
      async stop() {
        await stop();
        await sqs.stop();
        await dynamoDb.stop();
      },
    };
  } catch (error) {
    await dynamoDb.stop();
    throw error;
  }
}
