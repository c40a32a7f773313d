import { accountDayStore } from '../budgets/account-days.ts';
import { getOverviewStart, toPeriods } from '../budgets/overview.ts';
import { listBillableDays } from '../budgets/statements.ts';
import { listDates, utcDay } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import { presentSums } from './campaign-response.ts';
import type { OwnedCampaign } from './find.ts';
import { readOpenDays } from './open-days.ts';

/**
 * The figures of all campaigns of an owner: today, and over thirty days next to the thirty days before. Ended days are stored sums, so the
 * ledgers are read only for today, and for an ended day until it is summed.
 */
export async function readCampaignFigures(
  effects: Pick<Effects, 'db' | 'clock'>,
  owner: string,
  campaigns: readonly OwnedCampaign[],
) {
  const now = effects.clock.now();
  const accountDays = accountDayStore(effects);
  const [recent = '', today] = [listBillableDays(now)[0], utcDay(now)];
  const open = await accountDays.unsummed(listDates(recent, today));
  const [ended, current] = await Promise.all([
    accountDays.list(owner, getOverviewStart(now), today),
    readOpenDays(effects, campaigns, open),
  ]);
  const days = [...ended, ...current];
  const isCurrent = new Set<object>(current);
  return toPeriods(
    days.filter((day) => isCurrent.has(day) || !open.includes(day.date)),
    now,
    presentSums,
  );
}
