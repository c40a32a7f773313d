import type { Item } from '../platform/items.ts';
import type { Campaign } from './campaign.ts';
import { withAsciiUrls } from './creative.ts';
import { type CampaignItem, campaignKey, FEED } from './items.ts';

export const toCampaignItem = ({ profile, ...campaign }: Campaign): Item<'campaigns'> => ({
  ...campaign,
  placement: profile,
  ...campaignKey(campaign.owner, campaign.id),
  feed: FEED,
});

export const fromCampaignItem = ({ item, feed, placement, ...campaign }: CampaignItem): Campaign => ({
  ...campaign,
  profile: placement,
  creative: withAsciiUrls(campaign.creative),
});
