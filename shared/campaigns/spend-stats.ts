import { spentOnItsDay } from '../ledgers/settlement.ts';
import type { Figures } from '../ledgers/store.ts';
import type { Campaign } from './campaign.ts';
import { dailyLimit } from './campaign.ts';

/** What bidding knows of a campaign's money and success; the stream of bids brings it along after the fact. */
export interface Funds {
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
}

/** The funds of a campaign that nothing has happened to. */
export const noFunds = (id: string): Funds => ({
  id,
  spent: 0,
  day: '',
  spentToday: 0,
  impressions: 0,
  clicks: 0,
  chargedClicks: 0,
  conversions: 0,
});

/** What the ledger's figures tell bidding. */
export const fundsOf = (figures: Figures): Funds => {
  const { campaignId: id, spent, day, impressions, clicks, chargedClicks, conversions } = figures;
  return { id, spent, day, spentToday: spentOnItsDay(figures), impressions, clicks, chargedClicks, conversions };
};

/** Micro-dollars that may be spent on a UTC day in all, and that were: whichever of the two budgets is the tighter one. */
export function dayBudget(campaign: Pick<Campaign, 'budget' | 'dailyBudget'>, funds: Funds, today: string) {
  const spentToday = funds.day >= today ? funds.spentToday : 0; // a day that another clock has begun counts
  const leftInTotal = Math.max(0, campaign.budget - funds.spent);
  return { limit: Math.min(dailyLimit(campaign), leftInTotal + spentToday), spentToday };
}

/** Whether anything has happened to a campaign. */
export const hasHistory = ({ spent, impressions, clicks, conversions }: Funds): boolean =>
  spent + impressions + clicks + conversions > 0;

/**
 * Whether funds were read before others of the same campaign: nothing in them ever falls. Charged clicks alone decide nothing unless
 * all else is equal: funds that the version before published take all clicks for charged, and newer ones must come after them.
 */
export function isOlder(a: Funds, b: Funds): boolean {
  const counts = ['spent', 'impressions', 'clicks', 'conversions'] as const;
  if (counts.some((count) => a[count] < b[count])) return true;
  return counts.every((count) => a[count] === b[count]) && a.chargedClicks < b.chargedClicks;
}
