import { isPaced } from '../../shared/bidding/price.ts';
import { dailyLimit } from '../../shared/campaigns/campaign.ts';
import { dayBudget, noSpendStats } from '../../shared/campaigns/spend-stats.ts';
import { utcDay } from '../../shared/platform/clock.ts';
import type { Course } from './day.ts';

const HOUR_MS = 60 * 60 * 1000;
const SAMPLES_AN_HOUR = 4;

export interface Judged {
  course: Course;
  isPaced: boolean;
  /** Whether the traffic of every hour offered at least what the straight line spends in it. */
  suffices: boolean;
  /** The largest distance from the straight line at the end of an hour, in parts of the daily budget. */
  deviation: number;
  /** The same up to the first hour whose traffic does not suffice. */
  suppliedDeviation: number;
  /** Whether no budget, of the total or of a day, was overspent. */
  withinBudgets: boolean;
}

/** Holds a campaign's day against the straight line from its begin to its end, or the day's. */
export function judgePlan(course: Course, midnight: number): Judged {
  const { account, spent, offered } = course;
  const { campaign, balance, byDay } = account;
  const daily = dailyLimit(campaign);
  const { limit } = dayBudget(campaign, noSpendStats(campaign.id), utcDay(midnight));
  const begin = Math.max(midnight, campaign.startDate ? Date.parse(campaign.startDate) : 0);
  const end = Math.min(
    midnight + 24 * HOUR_MS,
    campaign.endDate ? Date.parse(campaign.endDate) : Number.POSITIVE_INFINITY,
  );
  const line = (at: number) => limit * Math.min(1, Math.max(0, (at - begin) / (end - begin)));
  let deviation = 0;
  let suppliedDeviation = 0;
  let suffices = true;
  for (let hour = 1; hour <= 24; hour++) {
    const at = midnight + hour * HOUR_MS;
    const distance = Math.abs(spent[hour * SAMPLES_AN_HOUR]! - line(at)) / daily;
    deviation = Math.max(deviation, distance);
    if (offered[hour - 1]! < line(at) - line(at - HOUR_MS)) suffices = false;
    if (suffices) suppliedDeviation = Math.max(suppliedDeviation, distance);
  }
  const withinBudgets = balance.spent <= campaign.budget && [...byDay.values()].every((amount) => amount <= daily);
  return { course, isPaced: isPaced(campaign), suffices, deviation, suppliedDeviation, withinBudgets };
}
