import * as z from 'zod';
import { isBlank } from '../platform/values/characters.ts';
import { isId } from '../platform/values/ids.ts';
import { grouped, text, unicode, yesOrNo } from '../platform/values/value-schema.ts';
import { EVENT_TYPES } from './events/types.ts';

const MAX_URL = 2_048;
const URL_TEXT = `url must be text of at most ${grouped(MAX_URL)} characters`;
const url = unicode({ error: ({ input }) => (input == null ? 'url is required' : URL_TEXT) })
  .min(1, 'url is required')
  .refine((value) => !isBlank(value), 'url is required')
  .max(MAX_URL, URL_TEXT);
const LIST = `events must be a list of one or more of ${EVENT_TYPES.join(', ')}`;
const TWICE = 'events must not list a type twice';
const events = z
  .array(z.enum(EVENT_TYPES, LIST), LIST)
  .min(1, LIST)
  .max(EVENT_TYPES.length, TWICE) // checked before the elements: zod cannot collect hundreds of thousands of issues
  .refine((types) => new Set(types).size === types.length, TWICE);
const description = text('description', 2_000);

/** The schema checks only the text of `url`; receiver-url.ts checks the address. */
export const createWebhook = z.object({ url, events, description: description.nullish() });

export const getWebhook = z.object({
  deliveries: yesOrNo('deliveries')
    .optional()
    .describe('`true`: include the last deliveries and tests with their attempts'),
});

export const updateWebhook = z.object({
  url: url.optional(),
  events: events.optional(),
  description: description.nullish(),
  /** `failed` is accepted but ignored, because clients send whole objects back. */
  status: z.enum(['active', 'failed', 'disabled'], 'status must be active, failed, or disabled').optional(),
});

/** The body of a test delivery. */
export const testWebhook = z.object({
  type: z
    .enum(EVENT_TYPES, `type must be one of ${EVENT_TYPES.join(', ')}`)
    .optional()
    .describe("The type of the sample event; by default, the first of the webhook's `events`"),
});

/** The body of a secret rotation. */
export const rotateWebhookSecret = z.object({
  revokeOld: z
    .boolean('revokeOld must be true or false')
    .default(false)
    .describe('If true, earlier secrets stop signing immediately instead of 24 hours after their replacement'),
});

const BEFORE = 'before must be the id of an event, such as next in the previous response';

/** The query of a redelivery of failed events (api 8.2). */
export const redeliverFailedFrom = z.object({
  before: z
    .string(BEFORE)
    .refine((id) => isId('event', id), BEFORE)
    .optional()
    .describe('Set to `next` from the previous response to get older events. By default, starts at the newest'),
});
