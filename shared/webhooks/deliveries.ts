import { DAY_MS, ttlAt } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import type { Queued } from '../platform/queues.ts';
import { inSameMoment } from '../platform/sharing.ts';
import { isId } from '../platform/values/ids.ts';
import type { Envelope } from './events/envelope.ts';
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

/** One delivery of a webhook; undefined when there is none. */
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

/** Reads deliveries as they stand now; those that are asked for in the same moment are one call of the store. */
export function createDeliveryReader({ db }: Pick<Effects, 'db'>) {
  const nameOf = ({ webhookId, eventId }: Pick<DeliveryRead, 'webhookId' | 'eventId'>) => `${webhookId} ${eventId}`;

  async function readAll(all: readonly DeliveryRead[]): Promise<void> {
    // The store refuses a call that names a key twice.
    const asked = new Map(all.map((one) => [nameOf(one), deliveryKey(one.webhookId, one.eventId)]));
    const [first, ...others] = asked.values();
    try {
      const items =
        others.length > 0 ? db.getAll('deliveries', [first!, ...others]) : [await db.get('deliveries', first!)];
      const found = new Map((await items).flatMap((item) => (item ? [[nameOf(item), item]] : [])));
      for (const one of all) one.read.resolve(found.get(nameOf(one)));
    } catch (error) {
      for (const { read } of all) read.reject(error);
    }
  }

  const gather = inSameMoment<'deliveries', DeliveryRead>((_, all) => void readAll(all));
  return (webhookId: string, eventId: string): Promise<Delivery | undefined> => {
    const read = Promise.withResolvers<Delivery | undefined>();
    gather('deliveries', { webhookId, eventId, read });
    return read.promise;
  };
}

/** What came of asking for a delivery: it is due, or later, or over. */
type DueDelivery = { outcome: 'due'; delivery: Delivery } | { outcome: 'later'; ms: number } | { outcome: 'over' };

/** Attempts that are kept; more than one round of them has only what its owner asks for again and again. */
const MAX_ATTEMPTS = 60;
/** The last of them keep what the receiver answered: a kilobyte each, which every further attempt would write again. */
const MAX_ANSWERS = 6;

/**
 * A delivery as it stands before an attempt: its record is written when that is over. Nothing is claimed by it: of two copies of one
 * message the slot lets one begin, and the record takes the word of one.
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
  // Code of before still leases a delivery in its record.
  const ms = Math.max(found.leasedUntil, found.dueAt) - now;
  return ms > 0 ? { outcome: 'later', ms } : { outcome: 'due', delivery: found };
}

const newDelivery = (owner: string, webhookId: string, event: Envelope, now: number): Delivery => ({
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
 * Writes down a delivery's attempts and failures and what they make of it; `dueAt` is when the next attempt is due. Resolves to
 * false when somebody else wrote something down meanwhile, or its owner asked for it again: then what it is now is not for
 * this one to say.
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
        .map(({ answer, ...attempt }, at, { length }) =>
          answer && at >= length - MAX_ANSWERS ? { ...attempt, answer } : attempt,
        ),
      leasedUntil: 0,
      dueAt,
      claims: claims + 1,
    },
    // Settles the race with whoever thought that this attempt was dead.
    when: claims === 0 ? 'attribute_not_exists(#eventId)' : '#claims = :claims',
    ...(claims > 0 && { values: { claims } }),
    once: true,
  });
  return written.ok;
}

/** Gives a delivery up that nobody waits for any more. */
export async function abandonDelivery({ db }: Pick<Effects, 'db'>, webhookId: string, eventId: string): Promise<void> {
  await db.write({
    table: 'deliveries',
    key: deliveryKey(webhookId, eventId),
    update: 'SET #status = :failed',
    when: '#status = :pending',
    values: { failed: 'failed', pending: 'pending' },
  });
}
