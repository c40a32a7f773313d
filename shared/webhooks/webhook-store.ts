import { laterThan } from '../platform/activity.ts';
import { DAY_MS, isoTime } from '../platform/clock.ts';
import { setting } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import type { Alongside } from '../platform/idempotency.ts';
import { idPrefix, isId } from '../platform/values/ids.ts';
import { generateSecret } from './signature.ts';
import { isWebhook, type Webhook } from './webhook.ts';
import { diffWebhooks, listWebhookFields, recordWebhook } from './webhook-activity.ts';

export const MAX_WEBHOOKS = 20;

const webhookCountKey = (owner: string) => ({ owner, id: '#count' });

type Added = { outcome: 'added'; webhook: Webhook } | { outcome: 'repeated' | 'too_many' };

/**
 * Adds a webhook and returns it with its secret. `too_many`: the owner already has `MAX_WEBHOOKS`. `repeated`: the condition of a write
 * in `alongside` failed.
 */
export async function addWebhook(
  { db, clock, ids }: Pick<Effects, 'db' | 'clock' | 'ids'>,
  owner: string,
  { url, events, description }: Pick<Webhook, 'url' | 'events' | 'description'>,
  alongside: Alongside = () => [],
): Promise<Added> {
  const now = clock.now();
  const time = isoTime(now);
  const webhook: Webhook = {
    owner,
    id: ids.ordered('webhook'),
    url,
    events,
    description,
    status: 'active',
    secret: generateSecret(ids.bytes),
    previous: [],
    createdAt: time,
    updatedAt: time,
    lastDeliveryAt: null,
    lastError: null,
  };
  const record = alongside(webhook.id);
  const written = await db.transact([
    ...record,
    { table: 'webhooks', put: webhook },
    {
      table: 'webhooks',
      key: webhookCountKey(owner),
      update: 'ADD #count :one',
      when: 'attribute_not_exists(#count) OR #count < :most', // concurrent creations cannot both take the last place
      values: { one: 1, most: MAX_WEBHOOKS },
    },
    ...recordWebhook(webhook, 'created', listWebhookFields(webhook), now),
  ]);
  if (written.ok) return { outcome: 'added', webhook };
  return { outcome: written.refused.slice(0, record.length).some(Boolean) ? 'repeated' : 'too_many' };
}

/** Deletes a webhook. Returns false if the owner has no such webhook. */
export async function removeWebhook(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  owner: string,
  id: string,
): Promise<boolean> {
  const webhook = await findWebhook({ db }, owner, id);
  if (!webhook) return false;
  const written = await db.transact([
    // Settles the race of two deletions: the second one fails, and counts and records nothing.
    { table: 'webhooks', key: { owner, id }, remove: true, when: 'attribute_exists(#id)' },
    { table: 'webhooks', key: webhookCountKey(owner), update: 'ADD #count :less', values: { less: -1 } },
    ...recordWebhook(webhook, 'deleted', [], nextChange(webhook, clock.now())),
  ]);
  return written.ok;
}

/** How long a replaced secret still signs (api 8.1). */
const OVERLAP_MS = DAY_MS;
/** Maximum replaced secrets that still sign. Each one lengthens the headers of every delivery. The previous version allowed ten. */
const MAX_PREVIOUS = 5;

/** The time of a webhook's next change. It also serves as the version of the webhook. */
const nextChange = ({ updatedAt }: Webhook, now: number): number => laterThan(Date.parse(updatedAt), now);

/** Changes some fields. Returns undefined if the owner has no such webhook. Setting the status also resets the webhook's health. */
export async function changeWebhook(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  owner: string,
  id: string,
  changes: Partial<Pick<Webhook, 'url' | 'events' | 'description' | 'status'>>,
): Promise<Webhook | undefined> {
  for (;;) {
    const before = await findWebhook({ db }, owner, id);
    if (!before) return undefined;
    const now = nextChange(before, clock.now());
    const values = { ...changes, ...(changes.status && { lastError: null }), updatedAt: isoTime(now) };
    const resetHealth = changes.status ? ' REMOVE #failingSince' : '';
    const after = { ...before, ...values, ...(changes.status && { failingSince: undefined }) };
    const { ok } = await db.transact([
      {
        table: 'webhooks',
        key: { owner, id },
        update: `SET ${setting(Object.keys(values))}${resetHealth}`,
        // Of two concurrent changes, the second one fails, reads again, and records what it really replaced. Deliveries change the status.
        when: '#updatedAt = :updatedBefore AND #status = :statusBefore',
        values: { ...values, updatedBefore: before.updatedAt, statusBefore: before.status },
      },
      ...recordWebhook(after, 'updated', diffWebhooks(before, after), now),
    ]);
    if (ok) return after;
  }
}

type Rotation =
  | { outcome: 'rotated'; webhook: Webhook }
  | { outcome: 'unknown' }
  /** The condition of a write in `alongside` failed; nothing was written. */
  | { outcome: 'repeated' }
  /** `MAX_PREVIOUS` replaced secrets still sign; the next rotation is possible at `until` (epoch milliseconds). */
  | { outcome: 'too_many'; until: number };

/**
 * Gives a webhook a new secret. Each replaced secret still signs for a day after its replacement; with `revokeOld`, all stop immediately.
 */
export async function rotateSecret(
  effects: Pick<Effects, 'db' | 'clock' | 'ids'>,
  owner: string,
  id: string,
  revokeOld = false,
  alongside: Alongside = () => [],
): Promise<Rotation> {
  const { db, clock, ids } = effects;
  const record = alongside(id);
  for (;;) {
    const before = await findWebhook(effects, owner, id);
    if (!before) return { outcome: 'unknown' };
    const now = clock.now();
    const at = nextChange(before, now);
    const previous = revokeOld ? [] : before.previous.filter(({ until }) => now < until);
    if (previous.length >= MAX_PREVIOUS) return { outcome: 'too_many', until: previous[MAX_PREVIOUS - 1]!.until };
    const fields = {
      secret: generateSecret(ids.bytes),
      previous: revokeOld ? [] : [{ secret: before.secret, until: now + OVERLAP_MS }, ...previous],
      updatedAt: isoTime(at),
    };
    // A transaction, because it is idempotent: a retry after a lost response does not rotate twice.
    const written = await db.transact([
      ...record,
      {
        table: 'webhooks',
        key: { owner, id },
        update: `SET ${setting(Object.keys(fields))}`,
        // Of two concurrent rotations, the second fails, reads again, and keeps the first one's secret as a replaced secret.
        when: '#secret = :old AND #updatedAt = :updatedBefore',
        values: { ...fields, old: before.secret, updatedBefore: before.updatedAt },
      },
      ...recordWebhook(before, 'rotated', revokeOld ? [{ field: 'revokeOld', before: null, after: true }] : [], at),
    ]);
    if (written.ok) return { outcome: 'rotated', webhook: { ...before, ...fields } };
    if (written.refused.slice(0, record.length).some(Boolean)) return { outcome: 'repeated' };
  }
}

/** Finds an owner's webhook by id. */
export async function findWebhook(
  { db }: Pick<Effects, 'db'>,
  owner: string,
  id: string,
): Promise<Webhook | undefined> {
  const item = isId('webhook', id) ? await db.get('webhooks', { owner, id }) : undefined;
  return item && isWebhook(item) ? item : undefined;
}

/** Finds webhooks. Concurrent calls for the same webhook share one read. */
export function createWebhookReader(effects: Pick<Effects, 'db'>) {
  const pending = new Map<string, Promise<Webhook | undefined>>();
  return (owner: string, id: string): Promise<Webhook | undefined> => {
    const name = `${owner} ${id}`;
    const read = pending.get(name) ?? findWebhook(effects, owner, id).finally(() => pending.delete(name));
    pending.set(name, read);
    return read;
  };
}

/** Lists an owner's webhooks, oldest first. */
export async function listWebhooks({ db }: Pick<Effects, 'db'>, owner: string): Promise<Webhook[]> {
  const found: Webhook[] = [];
  const items = db.query({
    table: 'webhooks',
    where: '#owner = :owner AND begins_with(#id, :prefix)',
    values: { owner, prefix: idPrefix('webhook') },
    consistent: true,
  });
  for await (const item of items) if (isWebhook(item)) found.push(item);
  return found;
}
