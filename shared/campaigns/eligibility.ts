import { utcDay } from '../clock.ts';
import { asOf } from './as-of.ts';
import type { Biddable } from './biddable.ts';
import { dayBudget, type Funds } from './funds.ts';

/** Why a campaign cannot take part in any auction now, whatever the conversation; null when it can. */
export type Hindrance = 'paused' | 'budget' | 'no_match';

/** What an active campaign needs to serve (decisions, section 3). */
export function hindrance(campaign: Biddable, funds: Funds, now: number): Hindrance | null {
  const { status, pausedReason, isComplete, startDate } = asOf(campaign, now);
  if (pausedReason === 'budget' || pausedReason === 'daily_budget') return 'budget';
  if (status !== 'active') return 'paused';
  if (startDate && now < Date.parse(startDate)) return 'paused';
  const { limit, spentToday } = dayBudget(campaign, funds, utcDay(now));
  if (limit <= spentToday) return 'budget';
  return isComplete ? null : 'no_match';
}
