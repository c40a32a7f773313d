import type { EventType } from '../../shared/webhooks/events/types.ts';

/** The name of each event type. */
export const EVENT_NAMES: Readonly<Record<EventType, string>> = {
  'ad.impression': 'Impression',
  'ad.click': 'Click',
  'ad.conversion': 'Conversion',
  'campaign.created': 'Campaign created',
  'campaign.updated': 'Campaign changed',
  'campaign.paused': 'Campaign paused',
  'campaign.budget_exhausted': 'Budget spent',
  'account.billing': 'Daily statement',
};

/** When an event of each type is sent. */
export const EVENT_CAUSES: Readonly<Record<EventType, string>> = {
  'ad.impression': 'An ad was shown and charged',
  'ad.click': 'An ad was clicked for the first time',
  'ad.conversion': 'A click led to a conversion',
  'campaign.created': 'A campaign was created',
  'campaign.updated': 'You changed a campaign',
  'campaign.paused': 'You or its budget paused a campaign',
  'campaign.budget_exhausted': 'A campaign spent its total budget',
  'account.billing': 'The spend of a UTC day is final',
};
