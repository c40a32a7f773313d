import type * as z from 'zod';
import type { Performance } from '../budgets/ledger.ts';
import type { Phrase } from '../platform/judge.ts';
import { type Micros, toUsd } from '../platform/values/money.ts';
import { type Campaign, dailyLimit } from './campaign.ts';
import type { campaignResponse, listedCampaignResponse } from './campaign-response.ts';
import { EMPTY_CREATIVE } from './creative.ts';
import { EMPTY_TARGET_AUDIENCE } from './merge.ts';
import { presentServing } from './serving.ts';
import { toSpendStats } from './spend-stats.ts';

const usdOrNull = (amount: Micros | null) => (amount === null ? null : toUsd(amount));

/** A campaign's counts as clients see them (api 3.4). */
export const presentPerformance = ({ impressions, clicks, conversions, spent }: Performance) => ({
  impressions,
  clicks,
  conversions,
  ctr: impressions === 0 ? 0 : Math.min(1, clicks / impressions),
  averageCpb: impressions === 0 ? 0 : spent / 1000 / impressions, // micro-dollars x 1,000 impressions / 1,000,000
});

/** What a list holds of a campaign (api 3.4): a summary, and whether it serves where that is asked. */
export const presentListed = (
  campaign: Campaign,
  performance: Performance,
  now: number,
  hasServing: boolean,
): z.output<typeof listedCampaignResponse> => ({
  ...presentSummary(campaign, performance),
  ...(hasServing && { serving: presentServing(campaign, toSpendStats(performance), now) }),
});

const presentSummary = (
  campaign: Campaign,
  performance: Performance,
): Omit<z.output<typeof listedCampaignResponse>, 'serving'> => ({
  id: campaign.id,
  name: campaign.name,
  description: campaign.description,
  budget: toUsd(campaign.budget),
  dailyBudget: toUsd(dailyLimit(campaign)),
  spentBudget: toUsd(performance.spent),
  status: campaign.status,
  performance: presentPerformance(performance),
  createdAt: campaign.createdAt,
  updatedAt: campaign.updatedAt,
});

/** The whole campaign (api 3.1), its members always in this order. */
export const presentCampaign = (
  campaign: Campaign,
  performance: Performance,
  now: number,
  phrases: readonly Phrase[] = [],
): z.output<typeof campaignResponse> => ({
  ...presentSummary(campaign, performance),
  pausedReason: campaign.pausedReason,
  // The store keeps no order of members.
  targetAudience: {
    ...EMPTY_TARGET_AUDIENCE,
    ...campaign.targetAudience,
    demographics: { ...EMPTY_TARGET_AUDIENCE.demographics, ...campaign.targetAudience.demographics },
  },
  creative: { ...EMPTY_CREATIVE, ...campaign.creative },
  bidStrategy: campaign.bidStrategy,
  maxCpb: toUsd(campaign.maxCpb),
  targetCpa: usdOrNull(campaign.targetCpa),
  frequencyCap: campaign.frequencyCap ?? null,
  startDate: campaign.startDate,
  endDate: campaign.endDate,
  serving: presentServing(campaign, toSpendStats(performance), now),
  ...(phrases.length > 0 && { suggestedPhrases: phrases.map(({ text, weight }) => ({ text, weight })) }),
});
