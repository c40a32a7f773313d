import { isoTime } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import type { Alongside } from '../platform/idempotency.ts';
import { isId } from '../platform/values/ids.ts';
import { mintSecret } from './secret.ts';
import type { Webhook } from './webhook.ts';

export const MOST_WEBHOOKS = 20;

const webhookCountKey = (owner: string) => ({ owner, id: '#count' });

type Added = { outcome: 'added'; webhook: Webhook } | { outcome: 'repeated' | 'too_many' };

/** A new webhook with its secret, unless the user has as many as there may be, or what was to be written alongside was refused. */
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
    secret: mintSecret(ids.bytes),
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
      when: 'attribute_not_exists(#count) OR #count < :most', // settles the race for the last place
      values: { one: 1, most: MOST_WEBHOOKS },
    },
  ]);
  if (written.ok) return { outcome: 'added', webhook };
  return { outcome: written.refused.slice(0, record.length).some(Boolean) ? 'repeated' : 'too_many' };
}

/** Whether there was one to delete. */
export async function removeWebhook({ db }: Pick<Effects, 'db'>, owner: string, id: string): Promise<boolean> {
  if (!isId('webhook', id)) return false;
  const written = await db.transact([
    { table: 'webhooks', key: { owner, id }, remove: true, when: 'attribute_exists(#id)' },
    { table: 'webhooks', key: webhookCountKey(owner), update: 'ADD #count :less', values: { less: -1 } },
  ]);
  return written.ok;
}
