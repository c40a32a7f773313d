import type { Effects } from '../platform/effects.ts';
import { type Delivery, type DeliveryMessage, deliveryKey, deliveryTtl } from './deliveries.ts';

/** What came of asking for a delivery. */
type DeliveryClaim =
  | { outcome: 'claimed'; delivery: Delivery }
  | { outcome: 'later'; ms: number }
  | { outcome: 'over' };

/** Attempts that are kept; more than one round of them has only what its owner asks for again and again. */
const MOST_ATTEMPTS = 60;

/**
 * Takes a delivery for as long as an attempt may last. The condition settles the race of two copies of one message, and turns
 * away a copy that comes early or after the end.
 */
export async function claimDelivery(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  { owner, webhookId, event }: Omit<DeliveryMessage, 'sentAt'>,
  leaseMs: number,
): Promise<DeliveryClaim> {
  const now = clock.now();
  const written = await db.write(
    {
      table: 'deliveries',
      key: deliveryKey(webhookId, event.id),
      update:
        'SET #owner = :owner, #event = if_not_exists(#event, :event), #status = :pending, #leasedUntil = :lease, ' +
        '#attempts = if_not_exists(#attempts, :none), #failures = if_not_exists(#failures, :zero), ' +
        '#dueAt = if_not_exists(#dueAt, :now), #redeliveries = if_not_exists(#redeliveries, :zero), ' +
        '#ttl = if_not_exists(#ttl, :ttl) ADD #claims :one',
      when: 'attribute_not_exists(#eventId) OR (#status = :pending AND #leasedUntil <= :now AND #dueAt <= :now)',
      values: {
        owner,
        event,
        pending: 'pending',
        lease: now + leaseMs,
        none: [],
        zero: 0,
        one: 1,
        now,
        ttl: deliveryTtl(now),
      },
      once: true, // the lease that an attempt took is ours, though its answer was lost
    },
    'new',
  );
  if (written.ok) return { outcome: 'claimed', delivery: written.item };
  const { old } = written;
  if (old?.status !== 'pending') return { outcome: 'over' };
  return { outcome: 'later', ms: Math.max(old.leasedUntil, old.dueAt) - now };
}

/**
 * Writes down a delivery's attempts and failures and what they make of it; `dueAt` is when the next attempt is due. Resolves to
 * false when somebody took the delivery meanwhile, or its owner asked for it again: then what it is now is not for this
 * holder to say.
 */
export async function recordDelivery(
  { db }: Pick<Effects, 'db'>,
  { webhookId, eventId, claims, attempts, failures }: Delivery,
  status: Delivery['status'],
  dueAt: number,
): Promise<boolean> {
  const written = await db.write({
    table: 'deliveries',
    key: deliveryKey(webhookId, eventId),
    update:
      'SET #status = :status, #attempts = :attempts, #leasedUntil = :zero, #dueAt = :dueAt, #failures = :failures',
    when: '#claims = :claims', // settles the race with whoever thought that this attempt was dead
    values: {
      status,
      attempts: attempts.slice(-MOST_ATTEMPTS),
      zero: 0,
      dueAt,
      failures,
      claims,
    },
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
