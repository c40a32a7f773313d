import { DAY_MS, isoTime, MINUTE_MS } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import type { Item } from '../platform/items.ts';
import { createLaterReads } from '../platform/sharing.ts';
import { isWebhook, type Webhook } from './webhook.ts';

/** After so long of nothing but failures a webhook is disabled (api 8.1). */
const DISABLED_AFTER_MS = 5 * DAY_MS;

// Settles the race with its user: what was deleted stays so, and what was disabled meanwhile as well.
const LISTENS = 'attribute_exists(#id) AND #status <> :disabled';

/** A receiver that answers well is noted once in so long: what its record says of its last delivery may be as old. */
const NOTED_EVERY_MS = MINUTE_MS;

/** Whether a webhook's record says already, and not long since, that it answers well. Read after the attempt, as others overlap with it. */
const isFresh = (item: Item<'webhooks'> | undefined, now: number): boolean =>
  item !== undefined &&
  isWebhook(item) &&
  item.status === 'active' &&
  item.lastError === null &&
  item.failingSince === undefined &&
  now - Date.parse(item.lastDeliveryAt ?? '') < NOTED_EVERY_MS;

/**
 * Notes what an attempt says of a receiver: an error, or null for a success; and whether a delivery was given up with it.
 * Nothing is written that was read before the attempt: attempts at one receiver overlap. Those that end while its record is being read
 * share the next read.
 */
export function createHealthRecorder(effects: Pick<Effects, 'db' | 'clock'>) {
  const { db, clock } = effects;
  const reads = createLaterReads<Item<'webhooks'> | undefined>();

  return async function noteHealth(
    { owner, id }: Pick<Webhook, 'owner' | 'id'>,
    error: string | null,
    gaveUp: boolean,
  ): Promise<void> {
    const now = clock.now();
    if (error !== null) return noteFailure(effects, { owner, id }, error, gaveUp);
    const item = await reads(`${owner} ${id}`, () => db.get('webhooks', { owner, id }));
    if (isFresh(item, now)) return;
    await db.write({
      table: 'webhooks',
      key: { owner, id },
      update: 'SET #status = :active, #lastError = :error, #lastDeliveryAt = :time REMOVE #failingSince',
      when: LISTENS,
      values: { disabled: 'disabled', time: isoTime(now), error, active: 'active' },
    });
  };
}

async function noteFailure(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  key: Pick<Webhook, 'owner' | 'id'>,
  error: string,
  gaveUp: boolean,
): Promise<void> {
  const now = clock.now();
  const common = { table: 'webhooks', key, when: LISTENS } as const;
  const written = await db.write(
    {
      ...common,
      update:
        'SET #lastError = :error, #lastDeliveryAt = :time, #failingSince = if_not_exists(#failingSince, :now)' +
        (gaveUp ? ', #status = :failed' : ''),
      values: { disabled: 'disabled', time: isoTime(now), error, now, ...(gaveUp && { failed: 'failed' }) },
    },
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
