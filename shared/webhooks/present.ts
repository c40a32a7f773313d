import type * as z from 'zod';
import { isoTime } from '../platform/clock.ts';
import type { Delivery } from './deliveries.ts';
import { serializeEvent } from './events/envelope.ts';
import type { Webhook } from './webhook.ts';
import type {
  deliveryResponse,
  webhookResponse,
  webhookWithSecretResponse,
  wholeDeliveryResponse,
} from './webhook-response.ts';

/** A webhook as its owner sees it (api 8.1), without the secret. */
export const presentWebhook = (webhook: Webhook): z.output<typeof webhookResponse> => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  description: webhook.description,
  status: webhook.status,
  createdAt: webhook.createdAt,
  updatedAt: webhook.updatedAt,
  lastDeliveryAt: webhook.lastDeliveryAt,
  lastError: webhook.lastError,
  // The previous version does not update `lastDelivery`.
  lastDelivery: webhook.lastDelivery?.time === webhook.lastDeliveryAt ? (webhook.lastDelivery ?? null) : null,
});

export const presentWithSecret = (webhook: Webhook): z.output<typeof webhookWithSecretResponse> => ({
  ...presentWebhook(webhook),
  secret: webhook.secret,
});

/** A delivery as its webhook's owner sees it. */
export const presentDelivery = ({
  event,
  status,
  attempts,
  isTest = false,
}: Delivery): z.output<typeof deliveryResponse> => ({
  id: event.id,
  eventId: event.id,
  type: event.type,
  status,
  isTest,
  attempts: attempts.map(({ at, statusCode, durationMs, error }) => ({
    time: isoTime(at),
    statusCode,
    durationMs,
    error,
  })),
});

/** A delivery with its payload and the receiver's responses to failed attempts. */
export const presentWholeDelivery = (delivery: Delivery): z.output<typeof wholeDeliveryResponse> => {
  const presented = presentDelivery(delivery);
  return {
    ...presented,
    attempts: presented.attempts.map((attempt, index) => ({
      ...attempt,
      answer: delivery.attempts[index]?.answer ?? null,
    })),
    payload: JSON.parse(serializeEvent(delivery.event)),
  };
};
