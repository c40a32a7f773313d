import { type Balance, getTotalGranted } from './balance.ts';
import type { BudgetShard } from './shards/shard.ts';

/**
 * The invariant of budgets, in whole micro-dollars, in total and for the day:
 *
 *     remaining + granted and not yet arrived + left in shards + spent = budget
 *
 * It holds when two things do. What a balance has remaining, has granted and has spent is the budget (`assertConserved`). And each shard
 * has left or has spent exactly what arrived, which is at most what it was granted (`assertShard`). Writes that replace amounts are checked
 * before they are made, the others on the item that they leave. Charges and changes of budgets keep the sums by their expressions.
 */

/** Code of ours would lose or make money, or has. It is never an answer: the request fails, and the error is logged. */
export class BrokenBudget extends Error {
  override name = 'BrokenBudget';
}

/** What a balance accounts for of a campaign's budget. */
const sumBudget = (balance: Balance): number => balance.remaining + getTotalGranted(balance) + balance.spent;

/**
 * What a balance does not account for of its daily budget. This is zero, except on a day with charges by code that did not count them
 * in the balance: then it is what these spent.
 */
function getUncountedToday(balance: Balance): number {
  const { day, countDay, dailyBudget, dayRemaining, daySpend = 0 } = balance;
  return dailyBudget - dayRemaining - getTotalGranted(balance) - (countDay === day ? daySpend : 0);
}

/** Asserts that a write neither loses nor makes money. A new day has its whole budget again. */
export function assertConserved(before: Balance, after: Balance): void {
  const { campaignId } = after;
  const isSameDay = before.day === after.day;
  assertEqual(campaignId, 'budget', sumBudget(after), sumBudget(before));
  assertEqual(campaignId, 'daily budget', after.dailyBudget, before.dailyBudget);
  assertEqual(campaignId, 'uncounted today', getUncountedToday(after), isSameDay ? getUncountedToday(before) : 0);
}

/** Asserts that an opening has granted nothing yet: what an earlier one granted has come back to the balance already. */
export function assertOpening(balance: Balance): void {
  assertEqual(balance.campaignId, 'granted at the opening', getTotalGranted(balance), 0);
  if (getUncountedToday(balance) < 0) throw new BrokenBudget(`${balance.campaignId}: more than the daily budget`);
}

/** @param granted what the balance has granted to the shard since the opening */
export function assertShard(shard: BudgetShard, granted: number): void {
  const { campaignId, granted: arrived = 0, left = 0, spent = 0 } = shard;
  assertEqual(campaignId, 'left and spent', left + spent, arrived);
  if (left < 0 || arrived > granted) throw new BrokenBudget(`${campaignId}: ${left} left, ${arrived} of ${granted}`);
}

function assertEqual(campaignId: string, what: string, found: number, expected: number): void {
  if (found !== expected || !Number.isSafeInteger(found))
    throw new BrokenBudget(`${campaignId}: ${what} is ${found}, not ${expected}`);
}
