import type { Effects } from '../platform/effects.ts';
import { inSameMoment } from '../platform/same-moment.ts';
import { idPrefix, isId } from '../platform/values/ids.ts';
import { type Delivery, deliveryKey } from './deliveries.ts';
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

interface DeliveryRead {
  webhookId: string;
  eventId: string;
  read: PromiseWithResolvers<Delivery | undefined>;
}

/** Reads deliveries as they stand now; those that are asked for in the same moment are one call of the store. */
export function createDeliveryReader({ db }: Pick<Effects, 'db'>) {
  const nameOf = ({ webhookId, eventId }: Pick<DeliveryRead, 'webhookId' | 'eventId'>) => `${webhookId} ${eventId}`;

  async function readAll(all: readonly DeliveryRead[]): Promise<void> {
    // The store refuses a call that names a key twice.
    const asked = new Map(all.map((one) => [nameOf(one), deliveryKey(one.webhookId, one.eventId)]));
    const [first, ...others] = asked.values();
    try {
      const items =
        others.length > 0 ? db.getAll('deliveries', [first!, ...others]) : [await db.get('deliveries', first!)];
      const found = new Map((await items).flatMap((item) => (item ? [[nameOf(item), item]] : [])));
      for (const one of all) one.read.resolve(found.get(nameOf(one)));
    } catch (error) {
      for (const { read } of all) read.reject(error);
    }
  }

  const gather = inSameMoment<'deliveries', DeliveryRead>((_, all) => void readAll(all));
  return (webhookId: string, eventId: string): Promise<Delivery | undefined> => {
    const read = Promise.withResolvers<Delivery | undefined>();
    gather('deliveries', { webhookId, eventId, read });
    return read.promise;
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
