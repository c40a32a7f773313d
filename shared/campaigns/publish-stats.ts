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

/** Reads stored spend stats. Earlier versions did not store charged counts; their clicks and conversions all count as charged. */
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

/** The spend stats published last, by campaign ID. @param owners owner by campaign ID */
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
 * Publishes spend stats to the bidding instances. Counts only grow, so the condition keeps an earlier reading from overwriting a later one.
 * The condition also fails if the campaign was deleted, so no stats are left behind.
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

/** Share of the daily limit after which stats are published again. Pacing lags by up to this share. */
const SHARE_OF_DAY = 0.01;

/**
 * Whether a campaign's performance should be published: a new day has begun, a budget is used up, a hundredth of the daily limit was
 * spent since the last time, or a minute has passed and there are new clicks or conversions.
 * @param published the stats published last; `changedAt` in epoch ms
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
