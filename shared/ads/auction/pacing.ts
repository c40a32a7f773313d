import type { Campaign } from '../../campaigns/campaign.ts';
import { dayBudget, type SpendStats } from '../../campaigns/spend-stats.ts';
import { DAY_MS, utcDay } from '../../platform/clock.ts';

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
  const { limit, spentToday } = dayBudget(campaign, stats, today);
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
