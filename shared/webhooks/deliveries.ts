import { DAY_MS, ttlAt } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import type { Queued } from '../platform/queues.ts';
import { inSameMoment } from '../platform/sharing.ts';
import { isId } from '../platform/values/ids.ts';
import type { Envelope } from './events/envelope.ts';
import type { SendResult } from './send.ts';

/** One request to a receiver; `at` in epoch milliseconds. */
export interface DeliveryAttempt extends SendResult {
  at: number;
}

/** The delivery of one event to one webhook. Keeps the event itself, so it can be delivered again. */
export interface Delivery {
  owner: string;
  webhookId: string;
  eventId: string;
  event: Envelope;
  status: 'pending' | 'delivered' | 'failed';
  attempts: DeliveryAttempt[];
  /** Failures since the delivery was started or last redelivered. */
  failures: number;
  /** No other attempt may begin before this time (epoch milliseconds). */
  leasedUntil: number;
  /** When the next attempt is due, epoch milliseconds. */
  dueAt: number;
  /** How often the owner requested a redelivery. */
  redeliveries: number;
  /** Version: increases with every recorded result and redelivery, so a stale attempt cannot overwrite a newer one. */
  claims: number;
  /** Whether it is a sample event that the owner requested (test-delivery.ts). */
  isTest?: boolean;
  ttl: number;
}

declare module '../platform/items.ts' {
  interface Items {
    deliveries: Delivery;
  }
}

/** A queue message: an event for one receiver. */
export interface DeliveryMessage extends Queued {
  webhookId: string;
  event: Envelope;
}

const KEPT_MS = 30 * DAY_MS;

export const deliveryKey = (webhookId: string, eventId: string) => ({ webhookId, eventId });
export const deliveryTtl = (now: number): number => ttlAt(now + KEPT_MS);

/** The latest deliveries of a webhook, newest event first. */
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

/** One delivery of a webhook, or undefined. */
export const findDelivery = async (
  { db }: Pick<Effects, 'db'>,
  webhookId: string,
  eventId: string,
): Promise<Delivery | undefined> =>
  isId('event', eventId) ? db.get('deliveries', deliveryKey(webhookId, eventId)) : undefined;

interface DeliveryRead {
  webhookId: string;
  eventId: string;
  read: PromiseWithResolvers<Delivery | undefined>;
}

/** Reads deliveries. Reads requested in the same moment share one call to the store. */
export function createDeliveryReader({ db }: Pick<Effects, 'db'>) {
  const gather = inSameMoment<'deliveries', DeliveryRead>((_, all) => void readAll({ db }, all));
  return (webhookId: string, eventId: string): Promise<Delivery | undefined> => {
    const read = Promise.withResolvers<Delivery | undefined>();
    gather('deliveries', { webhookId, eventId, read });
    return read.promise;
  };
}

const toCacheKey = ({ webhookId, eventId }: Pick<DeliveryRead, 'webhookId' | 'eventId'>) => `${webhookId} ${eventId}`;

/** Reads all deliveries in one call and settles each read. */
async function readAll({ db }: Pick<Effects, 'db'>, reads: readonly DeliveryRead[]): Promise<void> {
  // A map, because DynamoDB rejects a batch read with duplicate keys.
  const keys = new Map(reads.map((one) => [toCacheKey(one), deliveryKey(one.webhookId, one.eventId)]));
  const [first, ...others] = keys.values();
  try {
    const items =
      others.length > 0 ? db.getAll('deliveries', [first!, ...others]) : [await db.get('deliveries', first!)];
    const found = new Map((await items).flatMap((item) => (item ? [[toCacheKey(item), item]] : [])));
    for (const one of reads) one.read.resolve(found.get(toCacheKey(one)));
  } catch (error) {
    for (const { read } of reads) read.reject(error);
  }
}

/** Whether a delivery is due now, is due later, or is over. */
type DueDelivery = { outcome: 'due'; delivery: Delivery } | { outcome: 'later'; ms: number } | { outcome: 'over' };

/** Attempts kept per delivery. Only repeated redeliveries reach this number. */
const MAX_ATTEMPTS = 60;
/** Number of latest attempts that keep the receiver's response: a kilobyte each, rewritten with every further attempt. */
const MAX_ANSWERS = 6;

/**
 * Finds the delivery of a message and whether it is due. It writes no claim: the slot lets only one of two copies of a message start,
 * and the condition of `recordDelivery` accepts only one result.
 */
export async function findDueDelivery(
  effects: Pick<Effects, 'db' | 'clock'>,
  { owner, webhookId, event }: Omit<DeliveryMessage, 'sentAt'>,
  readDelivery = createDeliveryReader(effects),
): Promise<DueDelivery> {
  const now = effects.clock.now();
  const found = await readDelivery(webhookId, event.id);
  if (!found) return { outcome: 'due', delivery: newDelivery(owner, webhookId, event, now) };
  if (found.status !== 'pending') return { outcome: 'over' };
  // The previous version leases a delivery in its record.
  const ms = Math.max(found.leasedUntil, found.dueAt) - now;
  return ms > 0 ? { outcome: 'later', ms } : { outcome: 'due', delivery: found };
}

export const newDelivery = (owner: string, webhookId: string, event: Envelope, now: number): Delivery => ({
  ...deliveryKey(webhookId, event.id),
  owner,
  event,
  status: 'pending',
  attempts: [],
  failures: 0,
  leasedUntil: 0,
  dueAt: now,
  redeliveries: 0,
  claims: 0,
  ttl: deliveryTtl(now),
});

/**
 * Records the result of an attempt; `dueAt` is when the next attempt is due. Returns false, and records nothing, if a concurrent attempt
 * was recorded or the owner requested a redelivery since the delivery was read.
 */
export async function recordDelivery(
  { db }: Pick<Effects, 'db'>,
  delivery: Delivery,
  status: Delivery['status'],
  dueAt: number,
): Promise<boolean> {
  const { claims, attempts } = delivery;
  const written = await db.write({
    table: 'deliveries',
    put: {
      ...delivery,
      status,
      attempts: attempts
        .slice(-MAX_ATTEMPTS)
        .map(({ answer, ...attempt }, index, { length }) =>
          answer && index >= length - MAX_ANSWERS ? { ...attempt, answer } : attempt,
        ),
      leasedUntil: 0,
      dueAt,
      claims: claims + 1,
    },
    // Settles the race with a second attempt that began after this one's lease ended, and with a redelivery: the first write wins.
    when: claims === 0 ? 'attribute_not_exists(#eventId)' : '#claims = :claims',
    ...(claims > 0 && { values: { claims } }),
    once: true,
  });
  return written.ok;
}

/** Fails a pending delivery whose webhook was deleted or disabled. */
export async function abandonDelivery({ db }: Pick<Effects, 'db'>, webhookId: string, eventId: string): Promise<void> {
  await db.write({
    table: 'deliveries',
    key: deliveryKey(webhookId, eventId),
    update: 'SET #status = :failed',
    when: '#status = :pending',
    values: { failed: 'failed', pending: 'pending' },
  });
}
