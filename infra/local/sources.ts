import type { Verb } from '../../shared/http/operations/rows.ts';
import { type WorkerName, workerNames, workerRow } from '../../shared/http/operations/workers.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import type { QueueName } from '../../shared/platform/queues.ts';
import type { TableName } from '../../shared/platform/tables.ts';
import { keysOf } from '../../shared/platform/values/typed.ts';
import { createConsumer } from './consumer.ts';
import type { WorkerHandlers } from './functions.ts';
import { createQueuePoller, type QueueClient, type QueuePoller } from './queue-poller.ts';
import { createStreamPoller, openCheckpoints, type ShardReader } from './stream-poller.ts';

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
  /** Streams and messages, until nothing is left: again only what handed something on, and what its worker writes to. */
  drain(): Promise<void>;
  /** Runs of the scheduled functions, each by itself: one that fails or hangs keeps no other from running. */
  schedules: readonly (() => Promise<void>)[];
  /** Runs every scheduled function once; what fails is thrown when all have run. */
  runSchedules(): Promise<void>;
}

/** Where what the workers are fed with is held. */
export interface SourceClients {
  shards(table: TableName): ShardReader;
  queue(name: QueueName): QueueClient;
}

/** Messages that a run gets at most, as in the cloud. */
const MAX_BATCH_MESSAGES = 10;

/** A stream or queue with the worker that it feeds. */
interface Source {
  name: string;
  worker: WorkerName;
  /** Hands on what a stream holds, or some messages of a queue; resolves to how much that was. */
  poll(): Promise<number>;
}

const streamName = (table: string) => `stream ${table}`;
const queueName = (queue: string) => `queue ${queue}`;

const WRITES = new Set<Verb>(['put', 'update', 'remove']);

/** The streams and queues that a worker can write to. */
const getWrittenSources = (name: WorkerName): string[] => {
  const { tables, queues } = workerRow(name);
  const written = keysOf(tables).filter((table) => tables[table]?.some((verb) => WRITES.has(verb)));
  return [...written.map(streamName), ...queues.map(queueName)];
};

/** Hands on some messages of a queue; resolves to how many. */
async function pollQueue(receiver: QueuePoller): Promise<number> {
  const messages = await receiver.receive(MAX_BATCH_MESSAGES);
  if (messages.length > 0) await receiver.invoke(messages);
  return messages.length;
}

export function createSources(
  { config, log }: Pick<Effects, 'config' | 'log'>,
  clients: SourceClients,
  workers: WorkerHandlers,
): Sources & { stop(): Promise<void> } {
  const checkpoints = openCheckpoints(config.dataDir);
  const streams = workerNames.flatMap((name) => {
    const rows = workerRow(name).sources.filter((source) => 'stream' in source);
    return rows.map(({ stream, windowSeconds }): Source => {
      const table = config.tablePrefix + stream;
      const poller = createStreamPoller(clients.shards(stream), table, name, workers[name], checkpoints, windowSeconds);
      return { name: streamName(stream), worker: name, poll: poller.drain };
    });
  });
  const receivers = workerNames.flatMap((name) => {
    const rows = workerRow(name).sources.filter((source) => 'queue' in source);
    return rows.map(({ queue }) => ({
      name: queueName(queue),
      worker: name,
      receiver: createQueuePoller(clients.queue(queue), workers[name]),
    }));
  });
  const queues = receivers.map(({ receiver, ...source }): Source => ({ ...source, poll: () => pollQueue(receiver) }));
  const consumers = receivers.map(({ receiver }) => createConsumer(receiver, config.webhookConcurrencyPerOwner, log));
  const schedules = workerNames
    .filter((name) => workerRow(name).sources.some((source) => 'schedule' in source))
    .map((name) => () => workers[name]());

  async function pollAll(sources: Source[]) {
    let handed = 0;
    for (const source of sources) handed += await source.poll();
    return handed;
  }

  return {
    streams: streams.map(({ poll }) => poll),
    drainStreams: () => pollAll(streams),
    receive: () => pollAll(queues),
    async consume() {
      let handed = 0;
      for (const consumer of consumers) handed += await consumer.consume();
      return handed;
    },
    async drain() {
      const all = [...streams, ...queues];
      let due = all;
      while (due.length > 0) {
        const names = new Set<string>();
        for (const source of due) {
          if ((await source.poll()) === 0) continue;
          for (const name of [source.name, ...getWrittenSources(source.worker)]) names.add(name);
        }
        due = all.filter(({ name }) => names.has(name));
      }
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
