import * as z from 'zod';
import { countValue, moment } from '../platform/values/response-schema.ts';
import { EVENT_TYPES } from './events/types.ts';

/** A webhook as its owner sees it (api 8.1). */
export const webhookResponse = z
  .object({
    id: z.string().describe('Begins with `wh_`'),
    url: z.string().describe('Where events are posted: an https URL without credentials, at a public address'),
    events: z.array(z.enum(EVENT_TYPES)).describe('The event types that it receives'),
    description: z.string().describe("The owner's note"),
    status: z
      .enum(['active', 'failed', 'disabled'])
      .describe(
        '`failed`: the last delivery used up its attempts; new events are still sent, and a success sets the webhook to `active`. ' +
          '`disabled`: by its owner, or after 5 days without a success; set `active` to enable it again',
      ),
    createdAt: moment.describe('When it was created'),
    updatedAt: moment.describe('When its owner last changed it'),
    lastDeliveryAt: moment.nullable().describe('When the last event was posted; null before the first one'),
    lastError: z.string().nullable().describe('Why the last attempt failed; null if it succeeded'),
  })
  .meta({ id: 'Webhook' });

export const webhookWithSecretResponse = webhookResponse
  .extend({ secret: z.string().describe('Signs deliveries; only this response contains it') })
  .meta({ id: 'WebhookWithSecret' });

const attempt = z.object({
  time: moment.describe('When the attempt began'),
  statusCode: z.int().nullable().describe("The status code of the receiver's response; null without a response"),
  durationMs: countValue.describe('Duration of the attempt, milliseconds'),
  error: z.string().nullable().describe('Why the attempt failed; null if it succeeded'),
});
const answer = z
  .string()
  .nullable()
  .describe(
    "The first kilobyte of the receiver's response body as text, which is untrusted; null without a response body",
  );

/** One event at one webhook. */
export const deliveryResponse = z
  .object({
    id: z.string().describe('Identifies the delivery in `redeliver`; the same as `eventId`'),
    eventId: z.string().describe('The id of the event; begins with `evt_`'),
    type: z.enum(EVENT_TYPES).describe('The type of the event'),
    status: z
      .enum(['pending', 'delivered', 'failed'])
      .describe('`pending`: not delivered yet. `failed`: no further attempts'),
    attempts: z.array(attempt).describe('The last 60 attempts, oldest first'),
  })
  .meta({ id: 'Delivery' });

/** A delivery with its payload and the receiver's responses. */
export const wholeDeliveryResponse = deliveryResponse
  .extend({
    attempts: z
      .array(attempt.extend({ answer }))
      .describe('The last 60 attempts, oldest first; `answer` is kept for the last six, and only if they failed'),
    payload: z
      .object({
        id: z.string().describe('Begins with `evt_`'),
        type: z.enum(EVENT_TYPES).describe('The type of the event'),
        created: moment.describe('When the event happened'),
        data: z.record(z.string(), z.unknown()).describe('Details of the event, by type'),
        api_version: z.literal('v1').describe('The version of the event format'),
      })
      .describe('The event; the request body is this object as JSON'),
  })
  .meta({ id: 'WholeDelivery' });

/** The result of a bulk redelivery. */
export const redeliveredResponse = z
  .object({
    redelivered: countValue.describe('Failed deliveries that were restarted, newest first'),
    remaining: countValue.describe('Failed deliveries that were found and are left for the next call'),
    more: z.boolean().describe('Whether older deliveries have not been searched; a call searches at most 2,000'),
    next: z
      .string()
      .nullable()
      .describe('Pass this as `before` in the next call; null if no failed deliveries are left'),
  })
  .meta({ id: 'Redelivered' });

/** The result of a test delivery. */
export const testResponse = z
  .object({
    success: z.boolean().describe('Whether the receiver responded with 2xx in time'),
    statusCode: z.int().nullable().describe("The status code of the receiver's response; null without a response"),
    durationMs: countValue.describe('Duration of the request, milliseconds'),
    eventId: z.string().describe('The id of the sample event'),
    error: z.string().nullable().describe('Why the delivery failed; null if it succeeded'),
    answer,
  })
  .meta({ id: 'TestDelivery' });
