import * as z from 'zod';
import { text } from '../schema.ts';

/** The event types of the contract, section 6.1. */
export const EVENT_TYPES = [
  'ad.impression',
  'ad.click',
  'ad.conversion',
  'campaign.created',
  'campaign.updated',
  'campaign.paused',
  'campaign.budget_exhausted',
  'account.billing',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

const url = text('url', 2_048);
const LIST = `events must be a list of one or more of ${EVENT_TYPES.join(', ')}`;
const events = z
  .array(z.enum(EVENT_TYPES, LIST), LIST)
  .min(1, LIST)
  .refine((types) => new Set(types).size === types.length, 'events must not name a type twice');
const description = text('description', 2_000);

/** Whether the address may be delivered to is asked when it is known to be a text: see url.ts. */
export const createWebhook = z.object({ url, events, description: description.nullish() });

export const updateWebhook = z.object({
  url: url.optional(),
  events: events.optional(),
  description: description.nullish(),
  /** `active` revives, `disabled` rests; `failed` comes back in a whole object and changes nothing. */
  status: z.enum(['active', 'failed', 'disabled'], 'status must be active, failed or disabled').optional(),
});
