import type { Result } from '../../packages/client/src/index.ts';

export type WebhookBody = Result<'GET /api/v1/webhooks/{id}'>;
/** A webhook whose last event failed still gets new ones. */
export const getWebhookState = ({ status }: WebhookBody) => (status === 'failed' ? 'failing' : status);

/** A test takes as long as the receiver, which has ten seconds. */
export const TEST_TIMEOUT_MS = 15_000;

export type DeliveryBody = Result<'GET /api/v1/webhooks/{id}/deliveries'>[number];
export type TestBody = Result<'POST /api/v1/webhooks/{id}/test'>;
export type WholeDeliveryBody = Result<'GET /api/v1/webhooks/{id}/deliveries/{deliveryId}'>;
