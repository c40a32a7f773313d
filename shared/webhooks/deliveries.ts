import type { Envelope } from '../events/envelope.ts';
import { DAY_MS } from '../platform/clock.ts';
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

/** What came of asking for a delivery. */
type DeliveryClaim =
  | { outcome: 'claimed'; delivery: Delivery }
  | { outcome: 'later'; ms: number }
  | { outcome: 'over' };

const KEPT_MS = 30 * DAY_MS;
/** Attempts that are kept; more than one round of them has only what its owner asks for again and again. */
const MOST_ATTEMPTS = 60;

export function deliveryStore({ db, clock }: Pick<Effects, 'db' | 'clock'>) {
  const key = (webhookId: string, eventId: string) => ({ webhookId, eventId });
  const ttl = () => Math.ceil((clock.now() + KEPT_MS) / 1000);

  return {
    /**
     * Takes a delivery for as long as an attempt may last. The condition settles the race of two copies of one message, and turns
     * away a copy that comes early or after the end.
     */
    async claim({ owner, webhookId, event }: Omit<DeliveryMessage, 'sentAt'>, leaseMs: number): Promise<DeliveryClaim> {
      const now = clock.now();
      const written = await db.write(
        {
          table: 'deliveries',
          key: key(webhookId, event.id),
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
            ttl: ttl(),
          },
          once: true, // the lease that an attempt took is ours, though its answer was lost
        },
        'new',
      );
      if (written.ok) return { outcome: 'claimed', delivery: written.item };
      const { old } = written;
      if (old?.status !== 'pending') return { outcome: 'over' };
      return { outcome: 'later', ms: Math.max(old.leasedUntil, old.dueAt) - now };
    },

    /**
     * Writes down a delivery's attempts and failures and what they make of it; `dueAt` is when the next attempt is due. Resolves to
     * false when somebody took the delivery meanwhile, or its owner asked for it again: then what it is now is not for this
     * holder to say.
     */
    async record(
      { webhookId, eventId, claims, attempts, failures }: Delivery,
      status: Delivery['status'],
      dueAt: number,
    ): Promise<boolean> {
      const written = await db.write({
        table: 'deliveries',
        key: key(webhookId, eventId),
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
    },

    /** Gives a delivery up that nobody waits for any more. */
    async abandon(webhookId: string, eventId: string): Promise<void> {
      await db.write({
        table: 'deliveries',
        key: key(webhookId, eventId),
        update: 'SET #status = :failed',
        when: '#status = :pending',
        values: { failed: 'failed', pending: 'pending' },
      });
    },

    /** The last deliveries of a webhook, newest event first. */
    async list(webhookId: string, limit: number): Promise<Delivery[]> {
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
    },

    /** Begins a delivery again: the stream's record of it puts it on the queue. undefined when there is none. */
    async again(webhookId: string, eventId: string): Promise<Delivery | undefined> {
      if (!isId('event', eventId)) return undefined;
      const written = await db.write(
        {
          table: 'deliveries',
          key: key(webhookId, eventId),
          update:
            'SET #status = :pending, #failures = :zero, #dueAt = :now, #leasedUntil = :zero, #ttl = :ttl ' +
            'ADD #redeliveries :one, #claims :one',
          when: 'attribute_exists(#eventId)',
          values: { pending: 'pending', zero: 0, one: 1, now: clock.now(), ttl: ttl() },
          once: true,
        },
        'new',
      );
      return written.ok ? written.item : undefined;
    },
  };
}
