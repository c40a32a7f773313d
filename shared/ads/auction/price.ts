import type { Campaign } from '../../campaigns/campaign.ts';
import { getDayBudget, type SpendStats } from '../../campaigns/spend-stats.ts';
import { DAY_MS, utcDay } from '../../platform/clock.ts';
import { floorCpm, type Micros } from '../../platform/values/money.ts';
import { estimateClickRate, estimateConversionRate, USUAL_CLICK_RATE } from './rates.ts';

export type PricedCampaign = Pick<Campaign, 'bidStrategy' | 'maxCpb' | 'targetCpa'>;

/** The least that `auto` scales a bid by for being ahead of its plan. */
const MIN_PACE_FACTOR = 0.75;

/**
 * The CPM in micro-dollars that a campaign bids for a conversation (api 4.2), rounded down, never above maxCpb.
 * `relevance` is the chance that its ad is right, `pace` the part of its opportunities that it should take.
 */
export function priceBid(campaign: PricedCampaign, stats: SpendStats, relevance: number, pace: number): Micros {
  const { maxCpb } = campaign;
  return floorCpm(Math.min(maxCpb, priceByStrategy(campaign, stats, relevance, pace)));
}

/** What a price was made of beside maxCpb and relevance; absent where the strategy does not ask for it. */
export interface PriceTerms {
  /** The part of its opportunities that the campaign takes, 0..1. */
  pace?: number;
  /** The chance that an impression is clicked, and that a click converts. */
  clickRate?: number;
  conversionRate?: number;
  /** USD micro-dollars that a conversion is worth. */
  targetCpa?: Micros;
}

/** The terms of a price, for explaining it: with them and `price` anybody can work it out again. */
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
      // The same price for every expected click: the whole of maxCpb at twice the usual click rate. Bids in
      // proportion to the chance of the event: Perlich et al., "Bid Optimizing and Inventory Scoring", KDD 2012.
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
 * What the chance of being right makes of maxCpb ("auto scales it by relevance and pacing", api 4.2): its expected value,
 * and up to a quarter less while ahead of the day's plan.
 */
const priceAuto = (maxCpb: number, relevance: number, pace: number): number =>
  maxCpb * relevance * (MIN_PACE_FACTOR + (1 - MIN_PACE_FACTOR) * pace);

/** Whether the strategy spreads its spend evenly over the day. */
export const isPaced = ({ bidStrategy }: Pick<Campaign, 'bidStrategy'>): boolean =>
  bidStrategy === 'auto' || bidStrategy === 'maximize_clicks';

/** How far ahead of the straight line, in parts of the day's budget, a campaign stops taking part at the line's begin. */
const BAND = 0.02;
/** The band narrows as the day goes, so that the budget lasts to its end; this part of it stays. */
const MIN_BAND_SHARE = 0.1;

/**
 * How much of its opportunities a campaign should take for its spend to follow a straight line over the UTC day: 1 on the line or
 * behind it, falling to 0 when it is ahead by the band. The line goes from midnight to midnight, or while the campaign runs.
 * Throttling participation towards a plan of spend: Agarwal et al., "Budget Pacing for Targeted Online Advertisements at
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
  const begin = Math.max(
    midnight,
    Date.parse(campaign.createdAt),
    campaign.startDate ? Date.parse(campaign.startDate) : 0,
  );
  const end = Math.min(midnight + DAY_MS, campaign.endDate ? Date.parse(campaign.endDate) : Number.POSITIVE_INFINITY);
  const elapsed = Math.min(1, Math.max(0, (now - begin) / Math.max(1, end - begin)));
  const ahead = spentToday / limit - elapsed;
  return Math.min(1, Math.max(0, 1 - ahead / (BAND * Math.max(MIN_BAND_SHARE, 1 - elapsed))));
}
