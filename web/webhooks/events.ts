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
