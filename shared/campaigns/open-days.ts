import type { CampaignDay } from '../budgets/day-counts.ts';
import { ledgerStore } from '../budgets/ledger.ts';
import { MINUTE_MS } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import type { OwnedCampaign } from './find.ts';

/** New clicks and conversions are published after at most this time if anything else follows, so the last ones may not be. */
const UNPUBLISHED_MS = MINUTE_MS;

/**
 * The counts of the last days from the ledgers, for the campaigns of an owner that were active on them. Every first activity of a day is
 * published, so the ledgers of all other campaigns need not be read.
 * @param dates without gaps, oldest first
 */
export async function readOpenDays(
  effects: Pick<Effects, 'db'>,
  campaigns: readonly OwnedCampaign[],
  dates: readonly string[],
): Promise<CampaignDay[]> {
  const [first] = dates;
  if (first === undefined) return [];
  const since = Date.parse(first) - UNPUBLISHED_MS;
  const active = campaigns.filter(({ published }) => !published || published.changedAt >= since);
  const ledgers = ledgerStore(effects);
  const performances = await ledgers.performance(active.map(({ id }) => id));
  return (await Promise.all(dates.map((date) => ledgers.dayOfAll(performances, date)))).flat();
}
