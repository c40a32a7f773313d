/** The event types (api 8.4). */
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
