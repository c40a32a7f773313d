import { utcDay } from '../../platform/clock.ts';
import type { Effects } from '../../platform/effects.ts';
import { isBalance, moneyKey } from '../balance.ts';
import { closeShards } from './close.ts';

/** Closes budgets that were left open on a day that is over: those of campaigns that nobody charges any more. A closed one stays as it is. */
export async function closeOldDays(
  effects: Pick<Effects, 'db' | 'clock'>,
  campaignIds: readonly string[],
): Promise<void> {
  const today = utcDay(effects.clock.now());
  const rows = await effects.db.getAll('ledgers', campaignIds.map(moneyKey));
  for (const row of rows) if (isBalance(row) && row.day < today) await closeShards(effects, row);
}
