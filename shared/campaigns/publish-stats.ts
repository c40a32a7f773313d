import { getDaySpend } from '../budgets/balance.ts';
import type { Performance } from '../budgets/ledger.ts';
import { MINUTE_MS } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import type { Item } from '../platform/items.ts';
import { getSpendFeed, isSpendStats, type StatsItem, spendStatsKey } from './items.ts';
import { hasHistory, type SpendStats } from './spend-stats.ts';

export const toStatsItem = (owner: string, stats: SpendStats, now: number): Item<'campaigns'> => ({
  ...stats,
  ...spendStatsKey(owner, stats.id),
  ...(hasHistory(stats) && { feed: getSpendFeed(stats.id) }),
  changedAt: now,
});

/** Spend stats as they are stored; those of an earlier version do not say what was charged, and take all for charged. */
export const fromStatsItem = ({
  id,
  spent,
  day,
  spentToday,
  impressions,
  clicks,
  chargedClicks = clicks,
  conversions,
  chargedConversions = conversions,
}: StatsItem): SpendStats => ({
  id,
  spent,
  day,
  spentToday,
  impressions,
  clicks,
  chargedClicks,
  conversions,
  chargedConversions,
});

/** What bidding was told last of campaigns, by their ids. @param owners of each campaign */
export async function findPublishedStats(
  { db }: Pick<Effects, 'db'>,
  owners: ReadonlyMap<string, string>,
): Promise<Map<string, { stats: SpendStats; changedAt: number }>> {
  const items = await db.getAll(
    'campaigns',
    [...owners].map(([id, owner]) => spendStatsKey(owner, id)),
  );
  return new Map(
    items.filter(isSpendStats).map((item) => [item.id, { stats: fromStatsItem(item), changedAt: item.changedAt }]),
  );
}

/**
 * Tells bidding of a campaign's money and success. Counts only grow: the condition keeps whoever read them earlier from
 * overwriting what was read later, and a campaign deleted meanwhile from leaving its stats behind.
 */
export async function publishSpendStats(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  owner: string,
  stats: SpendStats,
): Promise<void> {
  await db.write({
    table: 'campaigns',
    put: toStatsItem(owner, stats, clock.now()),
    when:
      'attribute_exists(#owner) AND #spent <= :spent AND #impressions <= :impressions AND #clicks <= :clicks AND ' +
      '(attribute_not_exists(#chargedClicks) OR #chargedClicks <= :chargedClicks) AND #conversions <= :conversions AND ' +
      '(attribute_not_exists(#chargedConversions) OR #chargedConversions <= :chargedConversions)',
    values: {
      spent: stats.spent,
      impressions: stats.impressions,
      clicks: stats.clicks,
      chargedClicks: stats.chargedClicks,
      conversions: stats.conversions,
      chargedConversions: stats.chargedConversions,
    },
  });
}

/** What is spent of a day's limit before bidding hears of it again: pacing may be behind by as much. */
const SHARE_OF_DAY = 0.01;

/**
 * Whether bidding should learn of a campaign's performance: another day has begun, a budget is used up, a hundredth of the
 * day's limit was spent since it learned last, or a minute has passed since then and there are clicks or conversions more.
 * @param published what it knows, and since when (epoch milliseconds)
 */
export function shouldPublish(
  published: { stats: SpendStats; changedAt: number } | undefined,
  performance: Performance,
  now: number,
): boolean {
  if (!published || published.stats.day !== performance.day) return true;
  const { remaining, dayRemaining, dailyBudget } = performance;
  const spentToday = getDaySpend(performance);
  const sincePublished = spentToday - published.stats.spentToday;
  if (remaining <= 0 || dayRemaining <= 0) return true;
  if (sincePublished >= SHARE_OF_DAY * Math.min(dailyBudget, remaining + spentToday)) return true;
  const counts = ['clicks', 'chargedClicks', 'conversions', 'chargedConversions'] as const;
  return (
    now - published.changedAt >= MINUTE_MS && counts.some((count) => published.stats[count] !== performance[count])
  );
}
