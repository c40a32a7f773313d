import type { Envelope } from '../events/envelope.ts';
import { DAY_MS, ttlAt } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import type { Queued } from '../platform/queues.ts';
import { isId } from '../values/ids.ts';
import type { SendResult } from './send.ts';

/** One request to a receiver; `at` in epoch milliseconds. */
interface DeliveryAttempt extends SendResult {
  at: number;
}

/** What became of one event at one webhook, and the event itself, so that it can be delivered again. */
export interface Delivery {
  owner: string;
  webhookId: string;
  eventId: string;
  event: Envelope;
  status: 'pending' | 'delivered' | 'failed';
  attempts: DeliveryAttempt[];
  /** Failures since it was begun or begun again. */
  failures: number;
  /** Epoch milliseconds before which nobody else may try. */
  leasedUntil: number;
  /** Epoch milliseconds at which the next attempt is due. */
  dueAt: number;
  /** How often its owner asked for it again. */
  redeliveries: number;
  /** How often it was taken or begun again: what came of an attempt is written down by the last one to take it. */
  claims: number;
  ttl: number;
}

declare module '../platform/items.ts' {
  interface Items {
    deliveries: Delivery;
  }
}

/** What is on the queue: an event for one receiver. */
export interface DeliveryMessage extends Queued {
  webhookId: string;
  event: Envelope;
}

const KEPT_MS = 30 * DAY_MS;

export const deliveryKey = (webhookId: string, eventId: string) => ({ webhookId, eventId });
export const deliveryTtl = (now: number): number => ttlAt(now + KEPT_MS);

/** The last deliveries of a webhook, newest event first. */
export async function listDeliveries(
  { db }: Pick<Effects, 'db'>,
  webhookId: string,
  limit: number,
): Promise<Delivery[]> {
  const found: Delivery[] = [];
  const where = '#webhookId = :webhookId';
  for await (const item of db.query({
    table: 'deliveries',
    where,
    values: { webhookId },
    newestFirst: true,
    limit,
  })) {
    found.push(item);
  }
  return found;
}

/** Begins a delivery again: the stream's record of it puts it on the queue. undefined when there is none. */
export async function redeliver(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  webhookId: string,
  eventId: string,
): Promise<Delivery | undefined> {
  if (!isId('event', eventId)) return undefined;
  const now = clock.now();
  const written = await db.write(
    {
      table: 'deliveries',
      key: deliveryKey(webhookId, eventId),
      update:
        'SET #status = :pending, #failures = :zero, #dueAt = :now, #leasedUntil = :zero, #ttl = :ttl ' +
        'ADD #redeliveries :one, #claims :one',
      when: 'attribute_exists(#eventId)',
      values: { pending: 'pending', zero: 0, one: 1, now, ttl: deliveryTtl(now) },
      once: true,
    },
    'new',
  );
  return written.ok ? written.item : undefined;
}
