import type * as z from 'zod';
import type { Figures } from '../ledgers/store.ts';
import { type Micros, toUsd } from '../values/money.ts';
import { biddableOf } from './biddable.ts';
import { type Campaign, dailyLimit } from './campaign.ts';
import { hindrances, warnings } from './eligibility.ts';
import { ANYBODY, NO_CREATIVE } from './merge.ts';
import type { campaignAnswer, campaignSummaryAnswer, servingAnswer } from './response.ts';
import { type Funds, fundsOf } from './spend-stats.ts';

const usdOrNull = (amount: Micros | null) => (amount === null ? null : toUsd(amount));

/** A campaign's counts as clients see them (contract, section 2.2; formulas in decisions, section 3). */
export const presentPerformance = ({ impressions, clicks, conversions, spent }: Figures) => ({
  impressions,
  clicks,
  conversions,
  ctr: impressions === 0 ? 0 : Math.min(1, clicks / impressions),
  averageCpb: impressions === 0 ? 0 : spent / 1000 / impressions, // micro-dollars x 1,000 impressions / 1,000,000
});

/** The summary that a list holds (contract, section 4.5). */
export const presentSummary = (campaign: Campaign, figures: Figures): z.output<typeof campaignSummaryAnswer> => ({
  id: campaign.id,
  name: campaign.name,
  description: campaign.description,
  budget: toUsd(campaign.budget),
  dailyBudget: toUsd(dailyLimit(campaign)),
  spentBudget: toUsd(figures.spent),
  status: campaign.status,
  performance: presentPerformance(figures),
  createdAt: campaign.createdAt,
  updatedAt: campaign.updatedAt,
});

/** The whole campaign (contract, section 2.2, and the additions of decisions, section 3), its members in the contract's order. */
export const presentCampaign = (
  campaign: Campaign,
  figures: Figures,
  now: number,
): z.output<typeof campaignAnswer> => ({
  ...presentSummary(campaign, figures),
  pausedReason: campaign.pausedReason,
  // The store keeps no order of members.
  targetAudience: {
    ...ANYBODY,
    ...campaign.targetAudience,
    demographics: { ...ANYBODY.demographics, ...campaign.targetAudience.demographics },
  },
  creative: { ...NO_CREATIVE, ...campaign.creative },
  bidStrategy: campaign.bidStrategy,
  maxCpb: toUsd(campaign.maxCpb),
  targetCpa: usdOrNull(campaign.targetCpa),
  startDate: campaign.startDate,
  endDate: campaign.endDate,
  serving: presentServing(campaign, fundsOf(figures), now),
});

/** Whether a campaign may take part in auctions now, by the rules that they go by, and what its advertiser may want to change. */
export function presentServing(campaign: Campaign, funds: Funds, now: number): z.output<typeof servingAnswer> {
  const biddable = biddableOf(campaign);
  const blocking = hindrances(biddable, funds, now);
  return {
    eligible: blocking.length === 0,
    reasons: [
      ...blocking.map((reason) => ({ ...reason, blocking: true })),
      ...warnings(biddable, funds).map((reason) => ({ ...reason, blocking: false })),
    ],
  };
}
