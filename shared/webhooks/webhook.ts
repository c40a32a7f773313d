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
  /** Time of the first failure since the last success, epoch milliseconds; absent if the last attempt succeeded. */
  failingSince?: number;
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
