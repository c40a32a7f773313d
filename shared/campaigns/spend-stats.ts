import { getDaySpend } from '../budgets/balance.ts';
import type { Performance } from '../budgets/ledger.ts';
import { type Campaign, getDailyBudget } from './campaign.ts';

/** What bidding knows of a campaign's money and success; the stream of bids brings it along after the fact. */
export interface SpendStats {
  id: string;
  /** Micro-dollars, in total and on `day` (UTC). */
  spent: number;
  day: string;
  spentToday: number;
  /** Counts since the campaign began. */
  impressions: number;
  clicks: number;
  /** Those whose impression was charged: what a click rate is made of, since impressions count when they are charged. */
  chargedClicks: number;
  conversions: number;
  /** Those of charged clicks: what a conversion rate is made of, together with these clicks. */
  chargedConversions: number;
}

/** The stats of a campaign that nothing has happened to. */
export const createSpendStats = (id: string): SpendStats => ({
  id,
  spent: 0,
  day: '',
  spentToday: 0,
  impressions: 0,
  clicks: 0,
  chargedClicks: 0,
  conversions: 0,
  chargedConversions: 0,
});

/** What a campaign's performance tells bidding. */
export const toSpendStats = (performance: Performance): SpendStats => {
  const { campaignId: id, spent, day, impressions } = performance;
  const { clicks, chargedClicks, conversions, chargedConversions } = performance;
  const spentToday = getDaySpend(performance);
  return { id, spent, day, spentToday, impressions, clicks, chargedClicks, conversions, chargedConversions };
};

/** Micro-dollars that may be spent on a UTC day in all, and that were: whichever of the two budgets is the tighter one. */
export function getDayBudget(campaign: Pick<Campaign, 'budget' | 'dailyBudget'>, stats: SpendStats, today: string) {
  const spentToday = stats.day >= today ? stats.spentToday : 0; // a day that another clock has begun counts
  const leftInTotal = Math.max(0, campaign.budget - stats.spent);
  return { limit: Math.min(getDailyBudget(campaign), leftInTotal + spentToday), spentToday };
}

/** Whether anything has happened to a campaign. */
export const hasHistory = ({ spent, impressions, clicks, conversions }: SpendStats): boolean =>
  spent + impressions + clicks + conversions > 0;

/**
 * Whether stats were read before others of the same campaign: nothing in them ever falls. What was charged decides nothing unless
 * all else is equal: stats that the version before wrote take all for charged, and newer ones must come after them.
 */
export function isOlder(a: SpendStats, b: SpendStats): boolean {
  const counts = ['spent', 'impressions', 'clicks', 'conversions'] as const;
  if (counts.some((count) => a[count] < b[count])) return true;
  const charged = ['chargedClicks', 'chargedConversions'] as const;
  return counts.every((count) => a[count] === b[count]) && charged.some((count) => a[count] < b[count]);
}
