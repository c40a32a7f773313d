import type { Effects } from '../platform/effects.ts';
import { isId } from '../platform/values/ids.ts';
import { type Delivery, deliveryKey, deliveryTtl } from './deliveries.ts';

/**
 * Begins a delivery again: the stream's record of it puts it on the queue. undefined when there is none.
 * @param when further conditions, such as that it has failed
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

/** Deliveries that one call begins again, those that it looks through for them, and how long it looks: it has to end in time. */
const MAX_REDELIVERED = 100;
const MAX_SCANNED = 2_000;
const MAX_SCAN_MS = 4_000;
const AT_ONCE = 10;

/** What a call has begun again, and what it leaves for the next. */
interface Redelivered {
  redelivered: number;
  /** Failed ones among those that were looked at. */
  remaining: number;
  /** Whether there are older ones that were not looked at. */
  more: boolean;
  /** Before which event the next call should look on; null where nothing is left. */
  next: string | null;
}

/** The failed deliveries of a webhook among the newest ones, or among those of events before one; `last` is there when it stopped before the oldest. */
async function findFailed(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  webhookId: string,
  before: string | undefined,
): Promise<{ failed: string[]; last: string | undefined }> {
  const failed: string[] = [];
  const until = clock.now() + MAX_SCAN_MS;
  let looked = 0;
  for await (const { eventId, status } of db.query({
    table: 'deliveries',
    where: `#webhookId = :webhookId${before ? ' AND #eventId < :before' : ''}`,
    values: { webhookId, ...(before && { before }) },
    newestFirst: true,
    limit: MAX_SCANNED,
  })) {
    if (status === 'failed') failed.push(eventId);
    if (++looked === MAX_SCANNED || clock.now() > until) return { failed, last: eventId };
  }
  return { failed, last: undefined };
}

/**
 * Begins the failed deliveries of a webhook again, the newest first.
 * @param before the event of which the call before this one said `next`: events come with ever greater ids, so nothing is looked at twice
 */
export async function redeliverFailed(
  effects: Pick<Effects, 'db' | 'clock'>,
  webhookId: string,
  before?: string,
): Promise<Redelivered> {
  const { failed, last } = await findFailed(effects, webhookId, before);
  // Settles the race of two calls, and with a delivery that its owner asks for by itself: each begins once.
  const condition = { when: '#status = :failed', values: { failed: 'failed' } };
  let redelivered = 0;
  const now = failed.slice(0, MAX_REDELIVERED);
  for (let at = 0; at < now.length; at += AT_ONCE) {
    const begun = await Promise.all(
      now.slice(at, at + AT_ONCE).map((eventId) => redeliver(effects, webhookId, eventId, condition)),
    );
    redelivered += begun.filter(Boolean).length;
  }
  const remaining = failed.length - now.length;
  return { redelivered, remaining, more: last !== undefined, next: (remaining > 0 ? now.at(-1) : last) ?? null };
}
