import * as z from 'zod';
import { countValue, moment } from '../platform/values/response-schema.ts';
import { EVENT_TYPES } from './events/types.ts';

const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
const statusCode = z.int().nullable().describe("The status code of the receiver's response; null without a response");
const error = z.string().nullable().describe('Why the attempt failed; null if it succeeded');

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
    lastDelivery: z
      .object({
        time: moment.describe('When it was attempted'),
        status: z
          .enum(DELIVERY_STATUSES)
          .describe('`pending`: the attempt failed and will be repeated. `failed`: no further attempts'),
        statusCode,
        error,
      })
      .meta({ id: 'LastDelivery' })
      .nullable()
      .describe(
        'The last attempt to deliver an event, but not a test; null before the first one. Of the successes of a minute, only the first is recorded',
      ),
  })
  .meta({ id: 'Webhook' });

export const webhookWithSecretResponse = webhookResponse
  .extend({ secret: z.string().describe('Signs deliveries; only this response contains it') })
  .meta({ id: 'WebhookWithSecret' });

const attempt = z
  .object({
    time: moment.describe('When the attempt began'),
    statusCode,
    durationMs: countValue.describe('Duration of the attempt, milliseconds'),
    error,
  })
  .meta({ id: 'DeliveryAttempt' });
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
    status: z.enum(DELIVERY_STATUSES).describe('`pending`: not delivered yet. `failed`: no further attempts'),
    isTest: z
      .boolean()
      .describe('Whether it is a test: one attempt, which is never repeated and does not change the webhook'),
    attempts: z.array(attempt).describe('The last 60 attempts, oldest first'),
  })
  .meta({ id: 'Delivery' });

const payload = z
  .object({
    id: z.string().describe('Begins with `evt_`'),
    type: z.enum(EVENT_TYPES).describe('The type of the event'),
    created: moment.describe('When the event happened'),
    data: z.record(z.string(), z.unknown()).describe('Details of the event, by type'),
    api_version: z.literal('v1').describe('The version of the event format'),
  })
  .meta({ id: 'WebhookEvent' });

/** A delivery with its payload and the receiver's responses. */
export const wholeDeliveryResponse = deliveryResponse
  .extend({
    attempts: z
      .array(attempt.extend({ answer }).meta({ id: 'AnsweredAttempt' }))
      .describe(
        'The last 60 attempts, oldest first; `answer` is kept for the last six, and only of failures and tests',
      ),
    payload: payload.describe('The event; the request body is this object as JSON'),
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
    statusCode,
    durationMs: countValue.describe('Duration of the request, milliseconds'),
    eventId: z.string().describe('The id of the sample event, and of its delivery'),
    error: z.string().nullable().describe('Why the delivery failed; null if it succeeded'),
    answer,
    payload: payload.describe('The sample event; the request body was this object as JSON'),
  })
  .meta({ id: 'TestDelivery' });
