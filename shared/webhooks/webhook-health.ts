import { DAY_MS, isoTime, MINUTE_MS } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import type { Item } from '../platform/items.ts';
import { createLaterReads } from '../platform/sharing.ts';
import { isWebhook, type Webhook } from './webhook.ts';
import { recordDisabled } from './webhook-activity.ts';

/** A webhook without a success for this long is disabled (api 8.1). */
const DISABLED_AFTER_MS = 5 * DAY_MS;

/** Settles the race with the owner: a webhook that was deleted or disabled during the attempt stays so. */
const IS_ENABLED = 'attribute_exists(#id) AND #status <> :disabled';

/** Record a success at most this often. `lastDeliveryAt` may be this old. */
const RECORD_INTERVAL_MS = MINUTE_MS;

/** Whether the record already shows a recent success. Read the record after the attempt, because other attempts overlap with it. */
const hasRecentSuccess = (item: Item<'webhooks'> | undefined, now: number): boolean =>
  item !== undefined &&
  isWebhook(item) &&
  item.status === 'active' &&
  // The owner can reset the rest of its health.
  item.lastDelivery?.status === 'delivered' &&
  item.failingSince === undefined &&
  now - Date.parse(item.lastDeliveryAt ?? '') < RECORD_INTERVAL_MS;

/** The result of an attempt, and what it makes of the delivery. */
type AttemptResult = Pick<NonNullable<Webhook['lastDelivery']>, 'status' | 'statusCode' | 'error'>;

/**
 * Records the result of an attempt in the webhook. Attempts to one receiver overlap, so nothing read before the attempt is written. Attempts
 * that end during a read of the record share the next read.
 */
export function createHealthRecorder(effects: Pick<Effects, 'db' | 'clock'>) {
  const { db, clock } = effects;
  const reads = createLaterReads<Item<'webhooks'> | undefined>();

  return async function recordHealth(
    { owner, id }: Pick<Webhook, 'owner' | 'id'>,
    result: AttemptResult,
  ): Promise<void> {
    if (result.error !== null) return recordFailure(effects, { owner, id }, result);
    const now = clock.now();
    const item = await reads(`${owner} ${id}`, () => db.get('webhooks', { owner, id }));
    if (hasRecentSuccess(item, now)) return;
    await db.write({
      table: 'webhooks',
      key: { owner, id },
      update:
        'SET #status = :active, #lastError = :error, #lastDeliveryAt = :time, #lastDelivery = :last REMOVE #failingSince',
      when: IS_ENABLED,
      values: { disabled: 'disabled', ...describeLast(result, now), active: 'active' },
    });
  };
}

const describeLast = ({ status, statusCode, error }: AttemptResult, now: number) => {
  const time = isoTime(now);
  return { error, time, last: { time, status, statusCode, error } };
};

async function recordFailure(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  key: Pick<Webhook, 'owner' | 'id'>,
  result: AttemptResult,
): Promise<void> {
  const now = clock.now();
  const isFinal = result.status === 'failed';
  const common = { table: 'webhooks', key, when: IS_ENABLED } as const;
  const written = await db.write(
    {
      ...common,
      update:
        'SET #lastError = :error, #lastDeliveryAt = :time, #lastDelivery = :last, #failingSince = if_not_exists(#failingSince, :now)' +
        (isFinal ? ', #status = :failed' : ''),
      values: { disabled: 'disabled', ...describeLast(result, now), now, ...(isFinal && { failed: 'failed' }) },
    },
    'new',
  );
  const webhook = written.ok && isWebhook(written.item) ? written.item : undefined;
  const since = webhook?.failingSince;
  if (webhook === undefined || since === undefined || now - since < DISABLED_AFTER_MS) return;
  await db.transact([
    {
      ...common,
      update: 'SET #status = :disabled',
      when: `${IS_ENABLED} AND #failingSince = :since`, // fails if a success or the owner setting `active` came first
      values: { disabled: 'disabled', since },
    },
    ...recordDisabled(webhook, now),
  ]);
}
