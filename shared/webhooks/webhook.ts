import type { EventType } from './events/types.ts';

export interface Webhook {
  owner: string;
  id: string;
  url: string;
  events: EventType[];
  description: string;
  status: 'active' | 'failed' | 'disabled';
  secret: string;
  /** The secrets before it, newest first, each of which signs along until then (epoch milliseconds). */
  previous: { secret: string; until: number }[];
  createdAt: string;
  updatedAt: string;
  lastDeliveryAt: string | null;
  lastError: string | null;
  /** Epoch milliseconds of the first of the failures since the last success; absent when there are none. */
  failingSince?: number;
}

/** How many webhooks a user has. */
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
