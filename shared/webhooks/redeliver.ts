import type { Effects } from '../platform/effects.ts';
import { isId } from '../platform/values/ids.ts';
import { type Delivery, deliveryKey, deliveryTtl } from './deliveries.ts';

/**
 * Restarts a delivery. The stream record of this write puts it on the queue. Returns undefined if the condition does not hold.
 * @param when the condition; by default, the delivery exists
 */
export async function redeliver(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  webhookId: string,
  eventId: string,
  { when = 'attribute_exists(#eventId)', values = {} } = {},
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
      when,
      values: { pending: 'pending', zero: 0, one: 1, now, ttl: deliveryTtl(now), ...values },
      once: true,
    },
    'new',
  );
  return written.ok ? written.item : undefined;
}

/** Bounds of one call, so that it finishes before its deadline: deliveries restarted, deliveries searched, and search time. */
const MAX_REDELIVERED = 100;
const MAX_SCANNED = 2_000;
const MAX_SCAN_MS = 4_000;
const CONCURRENCY = 10;

/** What a call restarted, and what it leaves for the next call. */
interface Redelivered {
  redelivered: number;
  /** Failed deliveries that were found but not restarted. */
  remaining: number;
  /** Whether there are older deliveries that were not searched. */
  more: boolean;
  /** The event id before which the next call continues; null if nothing is left. */
  next: string | null;
}

/**
 * Searches the newest deliveries of a webhook, or those of events before `before`, for failed ones. `last` is the last event searched;
 * undefined if the search reached the oldest one.
 */
async function findFailed(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  webhookId: string,
  before: string | undefined,
): Promise<{ failed: string[]; last: string | undefined }> {
  const failed: string[] = [];
  const until = clock.now() + MAX_SCAN_MS;
  let searched = 0;
  for await (const { eventId, status } of db.query({
    table: 'deliveries',
    where: `#webhookId = :webhookId${before ? ' AND #eventId < :before' : ''}`,
    values: { webhookId, ...(before && { before }) },
    newestFirst: true,
    limit: MAX_SCANNED,
  })) {
    if (status === 'failed') failed.push(eventId);
    if (++searched === MAX_SCANNED || clock.now() > until) return { failed, last: eventId };
  }
  return { failed, last: undefined };
}

/**
 * Restarts the failed deliveries of a webhook, newest first.
 * @param before `next` of the previous call; event ids increase with time, so no delivery is searched twice
 */
export async function redeliverFailed(
  effects: Pick<Effects, 'db' | 'clock'>,
  webhookId: string,
  before?: string,
): Promise<Redelivered> {
  const { failed, last } = await findFailed(effects, webhookId, before);
  // Settles the race with another call and with a single redelivery: each failed delivery is restarted once.
  const condition = { when: '#status = :failed', values: { failed: 'failed' } };
  let redelivered = 0;
  const eventIds = failed.slice(0, MAX_REDELIVERED);
  for (let start = 0; start < eventIds.length; start += CONCURRENCY) {
    const restarted = await Promise.all(
      eventIds.slice(start, start + CONCURRENCY).map((eventId) => redeliver(effects, webhookId, eventId, condition)),
    );
    redelivered += restarted.filter(Boolean).length;
  }
  const remaining = failed.length - eventIds.length;
  return { redelivered, remaining, more: last !== undefined, next: (remaining > 0 ? eventIds.at(-1) : last) ?? null };
}
