import { utcDay } from '../clock.ts';
import { asOf } from './as-of.ts';
import type { Campaign } from './campaign.ts';
import { dayBudget, type Funds } from './funds.ts';

/** Why a campaign cannot take part in any auction now, whatever the conversation; null when it can. */
export type Hindrance = 'paused' | 'budget' | 'no_match';

/** What an active campaign needs to serve (decisions, section 3). */
export function hindrance(campaign: Campaign, funds: Funds, now: number): Hindrance | null {
  const { status, pausedReason, creative, targetAudience, maxCpb, startDate } = asOf(campaign, now);
  if (pausedReason === 'budget' || pausedReason === 'daily_budget') return 'budget';
  if (status !== 'active') return 'paused';
  if (startDate && now < Date.parse(startDate)) return 'paused';
  const { limit, spentToday } = dayBudget(campaign, funds, utcDay(now));
  if (limit <= spentToday) return 'budget';
  const { keywords, demographics } = targetAudience;
  const says = creative.landingUrl && creative.headline;
  return says && keywords.length + demographics.interests.length > 0 && maxCpb > 0 ? null : 'no_match';
}
