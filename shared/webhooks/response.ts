import * as z from 'zod';
import { EVENT_TYPES } from '../events/types.ts';
import { countValue, moment } from '../values/response-schema.ts';

/** A webhook as its owner sees it (api 8.1). */
export const webhookResponse = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.enum(EVENT_TYPES)),
    description: z.string(),
    status: z.enum(['active', 'failed', 'disabled']),
    createdAt: moment,
    updatedAt: moment,
    lastDeliveryAt: moment.nullable(),
    lastError: z.string().nullable(),
  })
  .meta({ id: 'Webhook' });

export const webhookWithSecretResponse = webhookResponse
  .extend({ secret: z.string().describe('What deliveries are signed with; shown this once') })
  .meta({ id: 'WebhookWithSecret' });

/** One event at one webhook. */
export const deliveryResponse = z
  .object({
    id: z.string(),
    eventId: z.string(),
    type: z.enum(EVENT_TYPES),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.array(
      z.object({
        time: moment,
        statusCode: z.int().nullable(),
        durationMs: countValue,
        error: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'Delivery' });

/** What came of a test delivery. */
export const testResponse = z
  .object({
    success: z.boolean(),
    statusCode: z.int().nullable(),
    durationMs: countValue,
    eventId: z.string(),
    error: z.string().nullable(),
  })
  .meta({ id: 'TestDelivery' });
