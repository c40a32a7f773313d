import { type Balance, getTotalGranted } from './balance.ts';
import type { BudgetShard } from './shards/shard.ts';

/**
 * The budget invariant, in whole micro-dollars, in total and for the day: * remaining + granted and not yet arrived + left in shards + spent
 * = budget * Two assertions imply it. In a balance, remaining + granted + spent = budget (`assertConserved`). In a shard, left + spent =
 * arrived, and arrived is at most granted (`assertShard`). Writes that replace amounts are checked beforehand; other writes are checked on
 * the item they return. The update expressions of charges and budget changes preserve the sums.
 */

/** Thrown when a bug loses or creates money. The request fails with an internal error, and the error is logged. */
export class BrokenBudget extends Error {
  override name = 'BrokenBudget';
}

/** The part of the campaign's budget that the balance accounts for. */
const sumBudget = (balance: Balance): number => balance.remaining + getTotalGranted(balance) + balance.spent;

/**
 * The part of the daily budget that the balance does not account for. Normally zero; if a version that did not count in the balance charged
 * it today, the spend of those charges.
 */
function getUncountedToday(balance: Balance): number {
  const { day, countDay, dailyBudget, dayRemaining, daySpend = 0 } = balance;
  return dailyBudget - dayRemaining - getTotalGranted(balance) - (countDay === day ? daySpend : 0);
}

/** Asserts that a write neither loses nor creates money. A new day starts with the whole daily budget. */
export function assertConserved(before: Balance, after: Balance): void {
  const { campaignId } = after;
  const isSameDay = before.day === after.day;
  assertEqual(campaignId, 'budget', sumBudget(after), sumBudget(before));
  assertEqual(campaignId, 'daily budget', after.dailyBudget, before.dailyBudget);
  assertEqual(campaignId, 'uncounted today', getUncountedToday(after), isSameDay ? getUncountedToday(before) : 0);
}

/** Asserts that a new opening has no grants: earlier grants must have returned to the balance. */
export function assertOpening(balance: Balance): void {
  assertEqual(balance.campaignId, 'granted at the opening', getTotalGranted(balance), 0);
  if (getUncountedToday(balance) < 0) throw new BrokenBudget(`${balance.campaignId}: more than the daily budget`);
}

/** Asserts that a shard accounts for what arrived. @param granted total grants of the balance to the shard since the opening */
export function assertShard(shard: BudgetShard, granted: number): void {
  const { campaignId, granted: arrived = 0, left = 0, spent = 0 } = shard;
  assertEqual(campaignId, 'left and spent', left + spent, arrived);
  if (left < 0 || arrived > granted) throw new BrokenBudget(`${campaignId}: ${left} left, ${arrived} of ${granted}`);
}

function assertEqual(campaignId: string, what: string, found: number, expected: number): void {
  if (found !== expected || !Number.isSafeInteger(found))
    throw new BrokenBudget(`${campaignId}: ${what} is ${found}, not ${expected}`);
}
