import type { Effects } from '../platform/effects.ts';
import { idPrefix, isId } from '../values/ids.ts';
import { isWebhook, type Webhook } from './webhook.ts';

/** A user's webhook of this id. */
export async function findWebhook(
  { db }: Pick<Effects, 'db'>,
  owner: string,
  id: string,
): Promise<Webhook | undefined> {
  const item = isId('webhook', id) ? await db.get('webhooks', { owner, id }) : undefined;
  return item && isWebhook(item) ? item : undefined;
}

/** Finds webhooks; who asks for one while it is being read shares the read. */
export function createWebhookReader(effects: Pick<Effects, 'db'>) {
  const underWay = new Map<string, Promise<Webhook | undefined>>();
  return (owner: string, id: string): Promise<Webhook | undefined> => {
    const name = `${owner} ${id}`;
    const read = underWay.get(name) ?? findWebhook(effects, owner, id).finally(() => underWay.delete(name));
    underWay.set(name, read);
    return read;
  };
}

/** A user's webhooks in the order of their creation. */
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
