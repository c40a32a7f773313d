import { getDaySpend } from '../budgets/balance.ts';
import type { Performance } from '../budgets/ledger.ts';
import { type Campaign, getDailyBudget } from './campaign.ts';

/** Spend and performance of a campaign as bidding instances know them. A stream consumer updates them with a delay. */
export interface SpendStats {
  id: string;
  /** Micro-dollars, in total. `spentToday` is the part spent on `day` (UTC). */
  spent: number;
  day: string;
  spentToday: number;
  /** Counts since the campaign was created. */
  impressions: number;
  clicks: number;
  /** Clicks on charged impressions. The click rate needs these, because only charged impressions count. */
  chargedClicks: number;
  conversions: number;
  /** Conversions of charged clicks, for the conversion rate. */
  chargedConversions: number;
}

/** The stats of a new campaign. */
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

export const toSpendStats = (performance: Performance): SpendStats => {
  const { campaignId: id, spent, day, impressions } = performance;
  const { clicks, chargedClicks, conversions, chargedConversions } = performance;
  const spentToday = getDaySpend(performance);
  return { id, spent, day, spentToday, impressions, clicks, chargedClicks, conversions, chargedConversions };
};

/** The limit of a UTC day (the tighter of the two budgets) and the spend of that day, micro-dollars. */
export function getDayBudget(campaign: Pick<Campaign, 'budget' | 'dailyBudget'>, stats: SpendStats, today: string) {
  const spentToday = stats.day >= today ? stats.spentToday : 0; // the clock of another machine may already be in the next day
  const leftInTotal = Math.max(0, campaign.budget - stats.spent);
  return { limit: Math.min(getDailyBudget(campaign), leftInTotal + spentToday), spentToday };
}

/** Whether a campaign has any activity. */
export const hasHistory = ({ spent, impressions, clicks, conversions }: SpendStats): boolean =>
  spent + impressions + clicks + conversions > 0;

/**
 * Whether `a` is an older reading than `b` of the same campaign; counts never fall. Charged counts decide only if all others are equal: in
 * stats written by the previous version, everything counts as charged, so charged counts can fall.
 */
export function isOlder(a: SpendStats, b: SpendStats): boolean {
  const counts = ['spent', 'impressions', 'clicks', 'conversions'] as const;
  if (counts.some((count) => a[count] < b[count])) return true;
  const charged = ['chargedClicks', 'chargedConversions'] as const;
  return counts.every((count) => a[count] === b[count]) && charged.some((count) => a[count] < b[count]);
}
