import type { SQSRecord } from 'aws-lambda';
import { loadWorker } from '../../infra/local/functions.ts';
import { queueWorker } from '../../shared/http/workers/queue-worker.ts';
import type { StreamHandler } from '../../shared/http/workers/stream-worker.ts';
import type { WorkerEffects } from '../../shared/http/workers/worker.ts';
import { readConfig } from '../../shared/platform/config.ts';
import type { Database, Query } from '../../shared/platform/database.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import type { Item } from '../../shared/platform/items.ts';
import { createLog } from '../../shared/platform/log.ts';
import { noMetrics } from '../../shared/platform/metrics.ts';
import type { Queue } from '../../shared/platform/queue.ts';
import { queues } from '../../shared/platform/queues.ts';
import type { TableName } from '../../shared/platform/tables.ts';
import { Unavailable } from '../../shared/platform/unavailable.ts';
import { createDeliver } from '../../shared/webhooks/deliver.ts';
import type { Delivery, DeliveryMessage } from '../../shared/webhooks/deliveries.ts';
import type { EventType } from '../../shared/webhooks/events/types.ts';
import { redeliver } from '../../shared/webhooks/redeliver.ts';
import type { Send } from '../../shared/webhooks/send.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { addWebhook, findWebhook } from '../../shared/webhooks/webhook-store.ts';
import { createTestClock, createTestIds } from '../service.ts';
import { createMemoryDatabase } from './database.ts';
import { createMemoryQueue } from './queue.ts';

/**
 * A fault of one store or queue call: it is rejected; it is applied but its response is lost; the process crashes before or after
 * it.
 */
export const FAULTS = ['refused', 'answer lost', 'crash before', 'crash after'] as const;
type DeliveryFault = (typeof FAULTS)[number];

class Crash extends Error {}

/** A process with these effects. After a crash, none of its code runs. */
function guarded(effects: WorkerEffects, faultOf: (call: string) => DeliveryFault | undefined) {
  const process = { crashed: false };
  const live = () => {
    if (process.crashed) throw new Crash('the process has ended');
  };
  const crash = () => {
    process.crashed = true;
    live();
  };
  const guard =
    <A extends unknown[], R>(call: string, act: (...parts: A) => Promise<R>) =>
    async (...parts: A): Promise<R> => {
      live();
      const fault = faultOf(call);
      if (fault === 'refused') throw new Unavailable(call);
      if (fault === 'crash before') crash();
      const result = await act(...parts);
      live();
      if (fault === 'crash after') crash();
      if (fault === 'answer lost') throw new Unavailable(call);
      return result;
    };
  const { db, queue } = effects;
  const guardedDb: Database = {
    get: guard('get', db.get),
    getAll: guard('getAll', db.getAll),
    write: guard('write', db.write),
    transact: guard('transact', db.transact),
    async *query<T extends TableName>(query: Query<T>) {
      const all = async () => {
        const items: Item<T>[] = [];
        for await (const item of db.query(query)) items.push(item);
        return items;
      };
      yield* await guard('query', all)();
    },
  };
  const guardedQueue: Queue = {
    send: guard('send', queue.send),
    postpone: guard('postpone', queue.postpone),
    inFlight: guard('inFlight', queue.inFlight),
  };
  const guardSend = (send: Send): Send => guard('request', send);
  return { process, guardSend, effects: { ...effects, db: guardedDb, queue: guardedQueue } };
}

export interface Arrival {
  at: number;
  url: string;
  headers: Record<string, string>;
  eventId: string;
}

/**
 * Simulates the path from a stored change to the receivers, in memory and on a test clock, with the real functions. `faultOf` injects
 * faults, and `answer` is the receivers' response.
 */
export function simulateDeliveries(options: {
  answer?: (arrival: Arrival) => number | null;
  faultOf?: (call: string) => DeliveryFault | undefined;
  settings?: Record<string, string>;
  requestMs?: number;
}) {
  const { answer = () => 200, settings = {}, requestMs = 20 } = options;
  const clock = createTestClock();
  const lines: string[] = [];
  const outside: Effects = {
    config: readConfig(settings, true),
    clock,
    ids: createTestIds('world', clock.now),
    log: createLog('info', (line) => lines.push(line)),
    metrics: noMetrics,
    db: createMemoryDatabase(),
    resolve: async () => [],
  };
  const db = outside.db as ReturnType<typeof createMemoryDatabase>;
  const memoryQueue = createMemoryQueue(clock);
  const effects: WorkerEffects = { ...outside, queue: memoryQueue.queue };
  const arrivals: Arrival[] = [];

  const send: Send = async (url, headers, body) => {
    const arrival = { at: clock.now(), url, headers, eventId: JSON.parse(body).id };
    arrivals.push(arrival);
    const statusCode = answer(arrival);
    clock.advance(requestMs);
    const success = statusCode !== null && statusCode < 300;
    return { success, statusCode, durationMs: requestMs, error: success ? null : `answered ${statusCode}` };
  };

  const start = () => guarded(effects, options.faultOf ?? (() => undefined));

  /** Passes up to `max` messages to one run of the function. Those that it does not complete stay on the queue. */
  async function deliverTogether(max: number): Promise<number> {
    const receive = () => memoryQueue.receive(queues.deliveries.visibilitySeconds * 1000);
    const messages = Array.from({ length: max }, receive).filter((message) => message !== undefined);
    if (messages.length === 0) return 0;
    const { process, guardSend, effects } = start();
    const handler = queueWorker<DeliveryMessage>('events/deliver', 'deliveries', (workerEffects) =>
      createDeliver(workerEffects, guardSend(send)),
    )(effects);
    const toRecord = ({ receipt, body, sentAt }: (typeof messages)[number]) =>
      ({
        messageId: receipt,
        receiptHandle: receipt,
        body,
        attributes: { SentTimestamp: String(sentAt) },
      }) as SQSRecord;
    const { batchItemFailures } = await handler({ Records: messages.map(toRecord) });
    if (process.crashed) return messages.length;
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const message of messages) if (!failed.has(message.receipt)) memoryQueue.remove(message);
    return messages.length;
  }

  const deliverOne = async () => (await deliverTogether(1)) > 0;

  return {
    clock,
    db,
    effects,
    memoryQueue,
    lines,
    arrivals,
    redeliver: (webhook: Webhook, eventId: string) => redeliver(effects, webhook.id, eventId),
    deliverOne,
    deliverTogether,
    /** Delivers until no message is left, and advances the clock as needed. Resolves to the number of messages. */
    async deliverAll(max = 100_000): Promise<number> {
      for (let count = 0; count < max; ) {
        if (await deliverOne()) count++;
        else {
          const next = memoryQueue.nextAt();
          if (next === undefined) return count;
          clock.set(Math.max(clock.now(), next));
        }
      }
      throw new Error(`more than ${max} messages`);
    },
    /** Passes a batch to a stream function. Resolves to the number of processed records: 0 after a crash. */
    async feed(name: 'events/fan-out' | 'events/count', records: Parameters<StreamHandler>[0]['Records']) {
      const { process, effects } = start();
      const handler = await loadWorker(name, effects);
      const { batchItemFailures } = (await handler({
        Records: records,
        ...(name === 'events/count' && { shardId: 'shardId-00000001-a' }),
      } as never)) as Awaited<ReturnType<StreamHandler>>;
      const failed = batchItemFailures[0]?.itemIdentifier;
      if (process.crashed) return 0;
      return failed ? records.findIndex(({ dynamodb }) => dynamodb!.SequenceNumber === failed) : records.length;
    },
    async webhook(owner = 'alice', events: EventType[] = ['ad.click'], name = 'hook'): Promise<Webhook> {
      const added = await addWebhook(effects, owner, { url: `https://public.test/${name}`, events, description: '' });
      if (added.outcome !== 'added') throw new Error(added.outcome);
      return added.webhook;
    },
    read: async (webhook: Webhook) => (await findWebhook(effects, webhook.owner, webhook.id))!,
    delivery: async (webhook: Webhook, eventId: string) =>
      (await db.get('deliveries', { webhookId: webhook.id, eventId })) as Delivery | undefined,
  };
}
