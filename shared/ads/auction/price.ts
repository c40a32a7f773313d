import type { Campaign } from '../../campaigns/campaign.ts';
import { getDayBudget, type SpendStats } from '../../campaigns/spend-stats.ts';
import { DAY_MS, utcDay } from '../../platform/clock.ts';
import { floorCpm, type Micros } from '../../platform/values/money.ts';
import { estimateClickRate, estimateConversionRate, USUAL_CLICK_RATE } from './rates.ts';

export type PricedCampaign = Pick<Campaign, 'bidStrategy' | 'maxCpb' | 'targetCpa'>;

/** Smallest factor that `auto` applies to a bid ahead of its spending plan. */
const MIN_PACE_FACTOR = 0.75;

/**
 * The bid of a campaign for a conversation (api 4.2): CPM in micro-dollars, rounded down, never above maxCpb.
 * `relevance` and `pace` (the share of its opportunities that the campaign should bid on) are from 0 to 1.
 */
export function priceBid(campaign: PricedCampaign, stats: SpendStats, relevance: number, pace: number): Micros {
  const { maxCpb } = campaign;
  return floorCpm(Math.min(maxCpb, priceByStrategy(campaign, stats, relevance, pace)));
}

/** Inputs of a bid besides maxCpb and relevance. Inputs the strategy does not use are absent. */
export interface PriceTerms {
  /** Share of its opportunities that the campaign bids on, 0 to 1. */
  pace?: number;
  /** Probability that an impression gets a click, and that a click converts. */
  clickRate?: number;
  conversionRate?: number;
  /** Value of a conversion, in micro-dollars. */
  targetCpa?: Micros;
}

/** The inputs of a bid, so readers of X-Debug can recalculate the bid. */
export function getPriceTerms(
  { bidStrategy, targetCpa }: PricedCampaign,
  stats: SpendStats,
  relevance: number,
  pace: number,
): PriceTerms {
  if (bidStrategy === 'manual') return {};
  if (bidStrategy === 'maximize_clicks') return { pace, clickRate: estimateClickRate(stats, relevance) };
  if (bidStrategy === 'auto' || targetCpa === null) return { pace };
  const clickRate = estimateClickRate(stats, relevance);
  return { clickRate, conversionRate: estimateConversionRate(stats), targetCpa };
}

function priceByStrategy(campaign: PricedCampaign, stats: SpendStats, relevance: number, pace: number): number {
  const { bidStrategy, maxCpb, targetCpa } = campaign;
  switch (bidStrategy) {
    case 'manual':
      return maxCpb;
    case 'maximize_clicks':
      // Pays the same for every expected click, and reaches maxCpb at twice the usual click rate. Bids in
      // proportion to the probability of the event: Perlich et al., "Bid Optimizing and Inventory Scoring", KDD 2012.
      return (maxCpb * estimateClickRate(stats, relevance)) / (2 * USUAL_CLICK_RATE);
    case 'target_cpa':
      // Expected conversions per thousand impressions, each worth targetCpa (api 4.2):
      // 1,000 x p(click) x p(conversion | click) x value.
      if (targetCpa !== null) {
        return 1000 * estimateClickRate(stats, relevance) * estimateConversionRate(stats) * targetCpa;
      }
      return priceAuto(maxCpb, relevance, pace);
    case 'auto':
      return priceAuto(maxCpb, relevance, pace);
  }
}

/**
 * Scales maxCpb by relevance and pacing (api 4.2). Pacing cuts the bid by up to a quarter while the campaign is ahead of the day's spending
 * plan.
 */
const priceAuto = (maxCpb: number, relevance: number, pace: number): number =>
  maxCpb * relevance * (MIN_PACE_FACTOR + (1 - MIN_PACE_FACTOR) * pace);

/** Whether the strategy spreads its spend evenly over the day. */
export const isPaced = ({ bidStrategy }: Pick<Campaign, 'bidStrategy'>): boolean =>
  bidStrategy === 'auto' || bidStrategy === 'maximize_clicks';

/** At the start of the day, a campaign stops bidding when it is ahead of its plan by this share of the day's budget. */
const BAND = 0.02;
/** The band narrows during the day so that the budget lasts, but never below this share of its initial width. */
const MIN_BAND_SHARE = 0.1;

/**
 * The share of its opportunities that a campaign should bid on, so that its spend follows a straight line over the UTC day: 1 on or
 * behind the line, falling to 0 when it is ahead by the band. The line covers the part of the day in which the campaign runs.
 * Source: Agarwal et al., "Budget Pacing for Targeted Online Advertisements at
 * LinkedIn", KDD 2014, section 3, with a straight line as the plan.
 */
export function getPace(
  campaign: Pick<Campaign, 'budget' | 'dailyBudget' | 'createdAt' | 'startDate' | 'endDate'>,
  stats: SpendStats,
  now: number,
): number {
  const today = utcDay(now);
  const { limit, spentToday } = getDayBudget(campaign, stats, today);
  if (limit <= 0) return 0;
  const midnight = Date.parse(today);
  const start = Math.max(
    midnight,
    Date.parse(campaign.createdAt),
    campaign.startDate ? Date.parse(campaign.startDate) : 0,
  );
  const end = Math.min(midnight + DAY_MS, campaign.endDate ? Date.parse(campaign.endDate) : Number.POSITIVE_INFINITY);
  const elapsed = Math.min(1, Math.max(0, (now - start) / Math.max(1, end - start)));
  const ahead = spentToday / limit - elapsed;
  return Math.min(1, Math.max(0, 1 - ahead / (BAND * Math.max(MIN_BAND_SHARE, 1 - elapsed))));
}
