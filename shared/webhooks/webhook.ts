import type { EventType } from './events/types.ts';

export interface Webhook {
  owner: string;
  id: string;
  url: string;
  events: EventType[];
  description: string;
  status: 'active' | 'failed' | 'disabled';
  secret: string;
  /** Replaced secrets, newest first. Each one signs deliveries until `until` (epoch milliseconds). */
  previous: { secret: string; until: number }[];
  createdAt: string;
  updatedAt: string;
  lastDeliveryAt: string | null;
  lastError: string | null;
  /** Written together with `lastDeliveryAt`; the previous version writes only that. Unlike `lastError`, it survives a reactivation. */
  lastDelivery?: LastDelivery;
  /** Time of the first failure since the last success, epoch milliseconds; absent if the last attempt succeeded. */
  failingSince?: number;
}

/** The result of the last attempt to deliver an event. */
interface LastDelivery {
  time: string;
  /** `pending`: it failed and will be retried. */
  status: 'pending' | 'delivered' | 'failed';
  statusCode: number | null;
  error: string | null;
}

/** The number of an owner's webhooks. */
interface CountOfWebhooks {
  owner: string;
  id: '#count';
  count: number;
}

declare module '../platform/items.ts' {
  interface Items {
    webhooks: Webhook | CountOfWebhooks;
  }
}

export const isWebhook = (item: Webhook | CountOfWebhooks): item is Webhook => 'url' in item;
