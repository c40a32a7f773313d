import type { Item } from '../platform/items.ts';
import { withAsciiAddresses } from '../values/creative.ts';
import type { Campaign } from './campaign.ts';
import { type CampaignItem, campaignKey, FEED } from './items.ts';

export const stored = (campaign: Campaign): Item<'campaigns'> => ({
  ...campaign,
  ...campaignKey(campaign.owner, campaign.id),
  feed: FEED,
});

export const campaignOf = ({ item, feed, ...campaign }: CampaignItem): Campaign => ({
  ...campaign,
  creative: withAsciiAddresses(campaign.creative),
});
