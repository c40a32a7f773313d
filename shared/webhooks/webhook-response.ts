import * as z from 'zod';
import { countValue, moment } from '../platform/values/response-schema.ts';
import { EVENT_TYPES } from './events/types.ts';

/** A webhook as its owner sees it (api 8.1). */
export const webhookResponse = z
  .object({
    id: z.string().describe('Begins with `wh_`'),
    url: z.string().describe('Where events are posted: https, without credentials, at a public address'),
    events: z.array(z.enum(EVENT_TYPES)).describe('The types of events that it gets'),
    description: z.string().describe('For its owner'),
    status: z
      .enum(['active', 'failed', 'disabled'])
      .describe(
        '`failed`: the last delivery was given up; new events are still tried and a success makes it active. `disabled`: by its owner or ' +
          'after 5 days of nothing but failures; `active` revives it',
      ),
    createdAt: moment.describe('When it was registered'),
    updatedAt: moment.describe('When it last changed'),
    lastDeliveryAt: moment.nullable().describe('When something was last posted to it; null before the first'),
    lastError: z.string().nullable().describe('Why the last attempt failed; null when it did not'),
  })
  .meta({ id: 'Webhook' });

export const webhookWithSecretResponse = webhookResponse
  .extend({ secret: z.string().describe('What deliveries are signed with; shown this once') })
  .meta({ id: 'WebhookWithSecret' });

const attempt = z.object({
  time: moment.describe('When it began'),
  statusCode: z.int().nullable().describe('What the receiver answered; null when it did not'),
  durationMs: countValue.describe('How long it took, milliseconds'),
  error: z.string().nullable().describe('Why it failed; null when it did not'),
});
const answer = z
  .string()
  .nullable()
  .describe(
    'The first kilobyte of what the receiver answered, as text: somebody else wrote it; null where it said nothing',
  );

/** One event at one webhook. */
export const deliveryResponse = z
  .object({
    id: z.string().describe('Names the delivery in `redeliver`: the id of its event'),
    eventId: z.string().describe('The id of the event, begins with `evt_`'),
    type: z.enum(EVENT_TYPES).describe('The type of the event'),
    status: z.enum(['pending', 'delivered', 'failed']).describe('`pending` is still tried, `failed` was given up'),
    attempts: z.array(attempt).describe('Every request that was made, oldest first'),
  })
  .meta({ id: 'Delivery' });

/** The same with what went over the wire. */
export const wholeDeliveryResponse = deliveryResponse
  .extend({
    attempts: z
      .array(attempt.extend({ answer }))
      .describe('Every request that was made, oldest first; answers are kept of the last six, where they failed'),
    payload: z
      .object({
        id: z.string().describe('Begins with `evt_`'),
        type: z.enum(EVENT_TYPES).describe('The type of the event'),
        created: moment.describe('When it happened'),
        data: z.record(z.string(), z.unknown()).describe('As the type has it'),
        api_version: z.literal('v1').describe('Always v1'),
      })
      .describe('What was posted: the body is this as JSON'),
  })
  .meta({ id: 'WholeDelivery' });

/** What was put on its way again. */
export const redeliveredResponse = z
  .object({
    redelivered: countValue.describe('Failed deliveries that were begun again, the newest first'),
    remaining: countValue.describe('Failed ones that are left for the next call'),
    more: z.boolean().describe('Whether there are older ones beyond the 2,000 deliveries or fewer that were looked at'),
    next: z
      .string()
      .nullable()
      .describe('What `before` of the next call should be, which begins there; null when nothing is left'),
  })
  .meta({ id: 'Redelivered' });

/** What came of a test delivery. */
export const testResponse = z
  .object({
    success: z.boolean().describe('Whether the receiver answered 2xx in time'),
    statusCode: z.int().nullable().describe('What the receiver answered; null when it did not'),
    durationMs: countValue.describe('How long it took, milliseconds'),
    eventId: z.string().describe('The id of the sample event'),
    error: z.string().nullable().describe('Why it failed; null when it did not'),
    answer,
  })
  .meta({ id: 'TestDelivery' });
