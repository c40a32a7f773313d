import { DAY_MS, isoTime } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import { isWebhook, type Webhook } from './webhook.ts';

/** After so long of nothing but failures a webhook is disabled (api 8.1). */
const DISABLED_AFTER_MS = 5 * DAY_MS;

// Settles the race with its user: what was deleted stays so, and what was disabled meanwhile as well.
const LISTENS = 'attribute_exists(#id) AND #status <> :disabled';

/**
 * Notes what an attempt says of a receiver: an error, or null for a success; and whether a delivery was given up with it.
 * Nothing is written that was read before the attempt: attempts at one receiver overlap.
 */
export async function noteHealth(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  { owner, id }: Pick<Webhook, 'owner' | 'id'>,
  error: string | null,
  gaveUp: boolean,
): Promise<void> {
  const now = clock.now();
  const common = { table: 'webhooks', key: { owner, id }, when: LISTENS } as const;
  const values = { disabled: 'disabled', time: isoTime(now), error };
  if (error === null) {
    const update = 'SET #status = :active, #lastError = :error, #lastDeliveryAt = :time REMOVE #failingSince';
    await db.write({ ...common, update, values: { ...values, active: 'active' } });
    return;
  }
  const update =
    'SET #lastError = :error, #lastDeliveryAt = :time, #failingSince = if_not_exists(#failingSince, :now)' +
    (gaveUp ? ', #status = :failed' : '');
  const written = await db.write(
    { ...common, update, values: { ...values, now, ...(gaveUp && { failed: 'failed' }) } },
    'new',
  );
  const since = written.ok && isWebhook(written.item) ? written.item.failingSince : undefined;
  if (since === undefined || now - since < DISABLED_AFTER_MS) return;
  await db.write({
    ...common,
    update: 'SET #status = :disabled',
    when: `${LISTENS} AND #failingSince = :since`, // settles the race with a success, and with its user's reviving it
    values: { disabled: 'disabled', since },
  });
}
