import type { Webhook } from './store.ts';

/** A webhook as its owner sees it (decisions, section 8); the secret only where it was just given. */
export const presentWebhook = (webhook: Webhook) => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  description: webhook.description,
  status: webhook.status,
  createdAt: webhook.createdAt,
  updatedAt: webhook.updatedAt,
  lastDeliveryAt: webhook.lastDeliveryAt,
  lastError: webhook.lastError,
});

export const presentWithSecret = (webhook: Webhook) => ({ ...presentWebhook(webhook), secret: webhook.secret });
