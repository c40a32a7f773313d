import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { workerNames, workerRow } from '../../shared/operations/workers.ts';
import { openDatabase } from '../../shared/platform/dynamodb.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { openQueue } from '../../shared/platform/queue.ts';
import type { WorkerEffects } from '../../shared/workers/worker.ts';
import { openCheckpoints } from './checkpoints.ts';
import { createConsumer } from './consumer.ts';
import { createLocalTables, startDynamoDb } from './dynamodb.ts';
import { type HttpHandlers, loadFunctions, type WorkerHandlers } from './functions.ts';
import { createReceiver } from './receiver.ts';
import { startSqs } from './sqs.ts';
import { createStreamPoller } from './streams.ts';
import { sweep } from './sweep.ts';

export interface Stack {
  effects: WorkerEffects;
  /** How to reach the stand-in of DynamoDB. */
  client: DynamoDBClientConfig;
  handlers: HttpHandlers;
  workers: WorkerHandlers;
  /** Hands on what the streams hold; resolves to how many records that were. */
  drainStreams(): Promise<number>;
  /** Hands on one message of every queue that a function receives from; resolves to how many there were when they are through. */
  receive(): Promise<number>;
  /** Receives what the queues hold and hands it on, as much at once as there is room for; resolves to how many it received. */
  consume(): Promise<number>;
  /** Streams and messages one by one, until nothing is left. */
  drain(): Promise<void>;
  /** Runs of the scheduled functions, each by itself: one that fails or hangs keeps no other from running. */
  schedules: readonly (() => Promise<void>)[];
  /** Runs every scheduled function once; what fails is thrown when all have run. */
  runSchedules(): Promise<void>;
  /** Deletes what has expired. */
  sweep(): Promise<number>;
  /** Ends everything that was started. */
  stop(): Promise<void>;
}

/**
 * The whole service on one machine, less its HTTP port: stand-ins, tables, queues, and the very functions that are deployed.
 * @param through what stands between the functions and their store, if anything
 */
export async function startStack(
  outside: Pick<Effects, 'config' | 'clock' | 'ids' | 'log' | 'metrics' | 'resolve'>,
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
    const { http, workers } = await loadFunctions(effects);
    const checkpoints = openCheckpoints(config.dataDir);
    const pollers = workerNames.flatMap((name) => {
      const streams = workerRow(name).sources.filter((source) => 'stream' in source);
      return streams.map(({ stream }) =>
        createStreamPoller(dynamoDb.client, config.tablePrefix + stream, name, workers[name], checkpoints),
      );
    });
    const receivers = workerNames.flatMap((name) => {
      const fed = workerRow(name).sources.filter((source) => 'queue' in source);
      return fed.map(({ queue }) => createReceiver(sqs.client, config.tablePrefix + queue, workers[name]));
    });
    const schedules = workerNames
      .filter((name) => workerRow(name).sources.some((source) => 'schedule' in source))
      .map((name) => () => workers[name]());
    const drainStreams = async () => {
      let handed = 0;
      for (const poller of pollers) handed += await poller.drain();
      return handed;
    };
    const consumers = receivers.map((receiver) =>
      createConsumer(receiver, config.webhookConcurrencyPerOwner, outside.log),
    );
    const receive = async () => {
      let received = 0;
      for (const receiver of receivers) {
        const messages = await receiver.take(1);
        for (const message of messages) await receiver.handOn(message);
        received += messages.length;
      }
      return received;
    };
    const consume = async () => {
      let handed = 0;
      for (const consumer of consumers) handed += await consumer.consume();
      return handed;
    };
    return {
      effects,
      client: dynamoDb.client,
      handlers: http,
      workers,
      drainStreams,
      receive,
      consume,
      schedules,
      async drain() {
        while ((await drainStreams()) + (await receive()) > 0);
      },
      async runSchedules() {
        const runs = await Promise.allSettled(schedules.map((run) => run()));
        for (const run of runs) if (run.status === 'rejected') throw run.reason;
      },
      sweep: () => sweep(dynamoDb.client, config.tablePrefix, clock.now()),
      async stop() {
        await Promise.all(consumers.map((consumer) => consumer.stop()));
        await sqs.stop();
        await dynamoDb.stop();
      },
    };
  } catch (error) {
    await dynamoDb.stop();
    throw error;
  }
}
