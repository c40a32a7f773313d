import type { Verb } from '../../shared/http/operations/rows.ts';
import { type WorkerName, workerNames, workerRow } from '../../shared/http/operations/workers.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import type { QueueName } from '../../shared/platform/queues.ts';
import type { TableName } from '../../shared/platform/tables.ts';
import { getKeys } from '../../shared/platform/values/typed.ts';
import { createConsumer } from './consumer.ts';
import type { WorkerHandlers } from './functions.ts';
import { createQueuePoller, type QueueClient, type QueuePoller } from './queue-poller.ts';
import { createStreamPoller, openCheckpoints, type ShardReader } from './stream-poller.ts';

/** The event sources of all workers. */
export interface Sources {
  /** Each drains one stream into one worker, so a slow worker does not delay the others. */
  streams: readonly (() => Promise<number>)[];
  /** Drains all streams; resolves to the number of records. */
  drainStreams(): Promise<number>;
  /** Processes at most ten messages of every queue; resolves to their number. */
  receive(): Promise<number>;
  /** Receives messages and starts as many as there is room for; resolves to the number received. */
  consume(): Promise<number>;
  /** Processes streams and queues until nothing is left. After a worker ran, only its sources and the ones that it writes to are polled again. */
  drain(): Promise<void>;
  /** The scheduled functions, separately: one that fails or hangs does not block the others. */
  schedules: readonly (() => Promise<void>)[];
  /** Runs every scheduled function once. If some fail, throws the first error after all have run. */
  runSchedules(): Promise<void>;
}

/** Opens streams and queues. */
export interface SourceClients {
  shards(table: TableName): ShardReader;
  queue(name: QueueName): QueueClient;
}

/** Messages per invocation, as in the cloud. */
const MAX_BATCH_MESSAGES = 10;

/** A stream or queue, and its worker. */
interface Source {
  name: string;
  worker: WorkerName;
  /** Processes all records of a stream, or some messages of a queue; resolves to their number. */
  poll(): Promise<number>;
}

const streamName = (table: string) => `stream ${table}`;
const queueName = (queue: string) => `queue ${queue}`;

const WRITES = new Set<Verb>(['put', 'update', 'remove']);

/** The streams and queues that a worker can write to. */
const getWrittenSources = (name: WorkerName): string[] => {
  const { tables, queues } = workerRow(name);
  const written = getKeys(tables).filter((table) => tables[table]?.some((verb) => WRITES.has(verb)));
  return [...written.map(streamName), ...queues.map(queueName)];
};

/** Processes some messages of a queue; resolves to their number. */
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
