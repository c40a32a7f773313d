import type { Effects } from '../platform/effects.ts';
import { type Delivery, type DeliveryMessage, deliveryKey, deliveryTtl } from './deliveries.ts';
import type { Envelope } from './events/envelope.ts';
import { createDeliveryReader } from './find.ts';

/** What came of asking for a delivery: it is due, or later, or over. */
type DueDelivery = { outcome: 'due'; delivery: Delivery } | { outcome: 'later'; ms: number } | { outcome: 'over' };

/** Attempts that are kept; more than one round of them has only what its owner asks for again and again. */
const MOST_ATTEMPTS = 60;
/** The last of them keep what the receiver answered: a kilobyte each, which every further attempt would write again. */
const MOST_ANSWERS = 6;

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
        .slice(-MOST_ATTEMPTS)
        .map(({ answer, ...attempt }, at, { length }) =>
          answer && at >= length - MOST_ANSWERS ? { ...attempt, answer } : attempt,
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
