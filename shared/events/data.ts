import { type Clicked, clickIdOf, type Served } from '../bids/bid.ts';
import { type Campaign, dailyLimit } from '../campaigns/campaign.ts';
import { presentPerformance } from '../campaigns/present.ts';
import { isoTime } from '../clock.ts';
import type { Figures } from '../ledgers/store.ts';
import { toUsd } from '../money.ts';

/** The `data` of each event (contract, section 6.3; decisions, section 8). Strings without a value are empty and present. */

export const impressionData = (bid: Served) => ({
  ad_id: bid.id,
  campaign_id: bid.campaignId,
  user_id: '',
  session_id: '',
  context: { conversation: '', user_query: '' },
  placement: { type: '', position: '' },
  metadata: { user_agent: '', ip_address: '', timestamp: isoTime(bid.servedAt) },
});

export const clickData = (bid: Clicked) => ({
  ad_id: bid.id,
  campaign_id: bid.campaignId,
  click_id: clickIdOf(bid.id),
  user_id: '',
  session_id: '',
  landing_url: bid.creative.landingUrl,
  context: { conversation: '', user_query: '' },
  metadata: { user_agent: bid.click.userAgent, ip_address: bid.click.ip, timestamp: isoTime(bid.click.at) },
});

export const createdData = (campaign: Campaign) => ({
  campaign_id: campaign.id,
  campaign_name: campaign.name,
  budget: toUsd(campaign.budget),
  daily_budget: toUsd(dailyLimit(campaign)),
  status: campaign.status,
  target_audience: {
    keywords: campaign.targetAudience.keywords,
    demographics: { age_range: campaign.targetAudience.demographics.ageRange ?? '' },
  },
});

export const updatedData = (campaign: Campaign, changed: string[]) => ({
  campaign_id: campaign.id,
  campaign_name: campaign.name,
  changed,
  status: campaign.status,
  updated_at: campaign.updatedAt,
});

export const pausedData = (campaign: Campaign, { spent }: Figures) => ({
  campaign_id: campaign.id,
  campaign_name: campaign.name,
  reason: campaign.pausedReason,
  spent: toUsd(spent),
  budget: toUsd(campaign.budget),
  daily_budget: toUsd(dailyLimit(campaign)),
});

export function exhaustedData(campaign: Campaign, figures: Figures) {
  const { impressions, clicks, conversions, ctr, averageCpb } = presentPerformance(figures);
  return {
    campaign_id: campaign.id,
    campaign_name: campaign.name,
    budget: toUsd(campaign.budget),
    spent: toUsd(figures.spent),
    performance: { impressions, clicks, conversions, ctr, average_cpb: averageCpb },
  };
}
