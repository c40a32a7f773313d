import { DAY_MS, isoTime } from '../platform/clock.ts';
import { setting } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import type { Alongside } from '../platform/idempotency.ts';
import { idPrefix, isId } from '../platform/values/ids.ts';
import { generateSecret } from './signature.ts';
import { isWebhook, type Webhook } from './webhook.ts';

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
  const time = isoTime(clock.now());
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
  ]);
  if (written.ok) return { outcome: 'added', webhook };
  return { outcome: written.refused.slice(0, record.length).some(Boolean) ? 'repeated' : 'too_many' };
}

/** Deletes a webhook. Returns false if the owner has no such webhook. */
export async function removeWebhook({ db }: Pick<Effects, 'db'>, owner: string, id: string): Promise<boolean> {
  if (!isId('webhook', id)) return false;
  const written = await db.transact([
    { table: 'webhooks', key: { owner, id }, remove: true, when: 'attribute_exists(#id)' },
    { table: 'webhooks', key: webhookCountKey(owner), update: 'ADD #count :less', values: { less: -1 } },
  ]);
  return written.ok;
}

/** How long a replaced secret still signs (api 8.1). */
const OVERLAP_MS = DAY_MS;
/** Maximum replaced secrets that still sign. Each one lengthens the headers of every delivery. The previous version allowed ten. */
const MAX_PREVIOUS = 5;

/** Changes some fields. Returns undefined if the owner has no such webhook. Setting the status also resets the webhook's health. */
export async function changeWebhook(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  owner: string,
  id: string,
  changes: Partial<Pick<Webhook, 'url' | 'events' | 'description' | 'status'>>,
): Promise<Webhook | undefined> {
  if (!isId('webhook', id)) return undefined;
  const values = { ...changes, ...(changes.status && { lastError: null }), updatedAt: isoTime(clock.now()) };
  const resetHealth = changes.status ? ' REMOVE #failingSince' : '';
  const update = `SET ${setting(Object.keys(values))}${resetHealth}`;
  const when = 'attribute_exists(#id)';
  const written = await db.write({ table: 'webhooks', key: { owner, id }, update, when, values }, 'new');
  return written.ok && isWebhook(written.item) ? written.item : undefined;
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
    const previous = revokeOld ? [] : before.previous.filter(({ until }) => now < until);
    if (previous.length >= MAX_PREVIOUS) return { outcome: 'too_many', until: previous[MAX_PREVIOUS - 1]!.until };
    const fields = {
      secret: generateSecret(ids.bytes),
      previous: revokeOld ? [] : [{ secret: before.secret, until: now + OVERLAP_MS }, ...previous],
      updatedAt: isoTime(now),
    };
    // A transaction, because it is idempotent: a retry after a lost response does not rotate twice.
    const written = await db.transact([
      ...record,
      {
        table: 'webhooks',
        key: { owner, id },
        update: `SET ${setting(Object.keys(fields))}`,
        // Of two concurrent rotations, the second fails, reads again, and keeps the first one's secret as a replaced secret.
        when: '#secret = :old',
        values: { ...fields, old: before.secret },
      },
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
