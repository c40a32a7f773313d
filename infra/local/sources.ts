import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { SQSClientConfig } from '@aws-sdk/client-sqs';
import { workerNames, workerRow } from '../../shared/operations/workers.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { openCheckpoints } from './checkpoints.ts';
import { createConsumer } from './consumer.ts';
import type { WorkerHandlers } from './functions.ts';
import { createReceiver } from './receiver.ts';
import { createStreamPoller } from './streams.ts';

/** What hands work to the workers, as their rows say. */
export interface Sources {
  /** Each hands one worker what one stream holds: one that takes long keeps no other from its records. */
  streams: readonly (() => Promise<number>)[];
  /** Hands on what the streams hold; resolves to how many records that were. */
  drainStreams(): Promise<number>;
  /** Hands on ten messages at most of every queue that a function receives from; resolves to how many there were when they are through. */
  receive(): Promise<number>;
  /** Receives what the queues hold and hands it on, as much at once as there is room for; resolves to how many it received. */
  consume(): Promise<number>;
  /** Streams and messages, until nothing is left. */
  drain(): Promise<void>;
  /** Runs of the scheduled functions, each by itself: one that fails or hangs keeps no other from running. */
  schedules: readonly (() => Promise<void>)[];
  /** Runs every scheduled function once; what fails is thrown when all have run. */
  runSchedules(): Promise<void>;
}

/** Messages that a run gets at most, as in the cloud. */
const MOST_IN_RUN = 10;

export function createSources(
  { config, log }: Pick<Effects, 'config' | 'log'>,
  dynamoDb: DynamoDBClientConfig,
  sqs: SQSClientConfig,
  workers: WorkerHandlers,
): Sources & { stop(): Promise<void> } {
  const checkpoints = openCheckpoints(config.dataDir);
  const pollers = workerNames.flatMap((name) => {
    const streams = workerRow(name).sources.filter((source) => 'stream' in source);
    return streams.map(({ stream, windowSeconds }) =>
      createStreamPoller(dynamoDb, config.tablePrefix + stream, name, workers[name], checkpoints, windowSeconds),
    );
  });
  const receivers = workerNames.flatMap((name) => {
    const fed = workerRow(name).sources.filter((source) => 'queue' in source);
    return fed.map(({ queue }) => createReceiver(sqs, config.tablePrefix + queue, workers[name]));
  });
  const consumers = receivers.map((receiver) => createConsumer(receiver, config.webhookConcurrencyPerOwner, log));
  const schedules = workerNames
    .filter((name) => workerRow(name).sources.some((source) => 'schedule' in source))
    .map((name) => () => workers[name]());

  async function drainStreams() {
    let handed = 0;
    for (const poller of pollers) handed += await poller.drain();
    return handed;
  }
  async function receive() {
    let received = 0;
    for (const receiver of receivers) {
      const messages = await receiver.take(MOST_IN_RUN);
      if (messages.length > 0) await receiver.handOn(messages);
      received += messages.length;
    }
    return received;
  }

  return {
    streams: pollers.map((poller) => poller.drain),
    drainStreams,
    receive,
    async consume() {
      let handed = 0;
      for (const consumer of consumers) handed += await consumer.consume();
      return handed;
    },
    async drain() {
      while ((await drainStreams()) + (await receive()) > 0);
    },
    schedules,
    async runSchedules() {
      const runs = await Promise.allSettled(schedules.map((run) => run()));
      for (const run of runs) if (run.status === 'rejected') throw run.reason;
    },
    async stop() {
      await Promise.all(consumers.map((consumer) => consumer.stop()));
    },
  };
}
