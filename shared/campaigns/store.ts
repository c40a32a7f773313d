import { DAY_MS, isoTime } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import type { Item } from '../platform/items.ts';
import { isId } from '../values/ids.ts';
import { withAsciiAddresses } from './addresses.ts';
import { asOf } from './as-of.ts';
import type { Campaign } from './campaign.ts';
import { beginCount, countOneLess } from './count.ts';
import {
  type CampaignItem,
  campaignKey,
  isCampaign,
  isSpendStats,
  isTombstone,
  type StatsItem,
  spendStatsKey,
} from './items.ts';
import type { Lifecycle } from './lifecycle.ts';
import { freeName } from './names.ts';
import type { SpendStats } from './spend-stats.ts';

/** Changes read at a time: few enough that parsing them keeps nobody waiting. */
const PAGE = 100;

/** The one partition of the index by change time; a campaign's change is one small write to it. */
const FEED = 'campaigns';

export const stored = (campaign: Campaign): Item<'campaigns'> => ({
  ...campaign,
  ...campaignKey(campaign.owner, campaign.id),
  feed: FEED,
});
export const storedSpendStats = (owner: string, stats: SpendStats, now: number): Item<'campaigns'> => ({
  ...stats,
  ...spendStatsKey(owner, stats.id),
  feed: FEED,
  changedAt: now,
});
const campaignOf = ({ item, feed, ...campaign }: CampaignItem): Campaign => ({
  ...campaign,
  creative: withAsciiAddresses(campaign.creative),
});

/** Funds as they are stored; those of an earlier version have no count of charged clicks and take all for charged. */
const readSpendStats = ({
  id,
  spent,
  day,
  spentToday,
  impressions,
  clicks,
  chargedClicks = clicks,
  conversions,
}: StatsItem): SpendStats => ({
  id,
  spent,
  day,
  spentToday,
  impressions,
  clicks,
  chargedClicks,
  conversions,
});

/**
 * Changes this old are looked for again: in the cloud, where clocks differ and the index lags, and on one machine, where a
 * change is only written a little later than it is dated.
 */
export const marginMs = ({ campaignRefreshMs }: Pick<Config, 'campaignRefreshMs'>): number =>
  campaignRefreshMs > 0 ? 10_000 : 1_000;

/** How long a deleted campaign leaves a tombstone: every instance that bids learns of it, and it is still on its days' statements. */
export const TOMBSTONE_MS = 5 * DAY_MS;

/** What changed, and when: a campaign, its stats, or that it was deleted. */
export type CampaignChange = { at: number } & (
  | { kind: 'campaign'; campaign: Campaign }
  | { kind: 'stats'; stats: SpendStats }
  | { kind: 'deleted'; id: string; owner: string; name: string; version: number }
);

/** Nothing else is in the feed. */
function changeOf(item: Item<'campaigns'>): CampaignChange | undefined {
  if (isSpendStats(item)) return { at: item.changedAt, kind: 'stats', stats: readSpendStats(item) };
  if (isCampaign(item)) return { at: item.changedAt, kind: 'campaign', campaign: campaignOf(item) };
  if (!isTombstone(item)) return undefined;
  const { changedAt: at, id, owner, name, version } = item;
  return { at, kind: 'deleted', id, owner, name, version };
}

/** A change of lifecycle that no user asked for; the stream's record of it is the fact that sends the event. */
export const changeLifecycle = (campaign: Campaign, lifecycle: Lifecycle, now: number): Write<'campaigns'> => ({
  table: 'campaigns',
  key: campaignKey(campaign.owner, campaign.id),
  update:
    'SET #status = :status, #pausedReason = :pausedReason, #pausedDay = :pausedDay, #exhaustions = :exhaustions, ' +
    '#moneyAt = :moneyAt, #updatedAt = :time, #changedAt = :now, #version = :next',
  when: '#version = :version', // settles the race with its user's own change
  values: {
    status: lifecycle.status,
    pausedReason: lifecycle.pausedReason,
    pausedDay: lifecycle.pausedDay,
    exhaustions: lifecycle.exhaustions,
    moneyAt: lifecycle.moneyAt ?? null,
    time: isoTime(now),
    now,
    version: campaign.version,
    next: campaign.version + 1,
  },
});

export type CampaignStore = ReturnType<typeof campaignStore>;

export function campaignStore({ db, clock }: Pick<Effects, 'db' | 'clock'>) {
  const find = async (owner: string, id: string): Promise<Campaign | undefined> => {
    if (!isId('campaign', id)) return undefined;
    const item = await db.get('campaigns', campaignKey(owner, id));
    return item && isCampaign(item) ? asOf(campaignOf(item), clock.now()) : undefined;
  };

  return {
    find,

    /** A user's campaigns in the order of their creation: their ids sort so. */
    async list(owner: string): Promise<Campaign[]> {
      const found: Campaign[] = [];
      const items = db.query({
        table: 'campaigns',
        where: '#owner = :owner AND begins_with(#item, :campaign)',
        values: { owner, campaign: 'campaign#' },
        consistent: true,
      });
      for await (const item of items) if (isCampaign(item)) found.push(asOf(campaignOf(item), clock.now()));
      return found;
    },

    /** A user's newest campaigns, the last created first. */
    async *newest(owner: string, limit: number): AsyncGenerator<Campaign> {
      const items = db.query({
        table: 'campaigns',
        where: '#owner = :owner AND begins_with(#item, :campaign)',
        values: { owner, campaign: 'campaign#' },
        consistent: true,
        newestFirst: true,
        limit,
      });
      for await (const item of items) if (isCampaign(item)) yield asOf(campaignOf(item), clock.now());
    },

    /** Deletes a campaign and frees its name; a tombstone tells bidding. Whether there was one. */
    async remove(owner: string, id: string): Promise<boolean> {
      for (;;) {
        const before = await find(owner, id);
        if (!before) return false;
        const now = clock.now();
        const written = await db.transact([
          countOneLess(owner),
          {
            table: 'campaigns',
            put: {
              ...campaignKey(owner, id),
              id,
              name: before.name,
              deleted: true,
              feed: FEED,
              changedAt: now,
              version: before.version + 1,
              ttl: Math.ceil((now + TOMBSTONE_MS) / 1000),
            },
            when: '#version = :version',
            values: { version: before.version },
          },
          ...(await freeName(before, db)),
          { table: 'campaigns', key: spendStatsKey(owner, id), remove: true },
        ]);
        if (written.ok) return true;
        const [count] = written.refused;
        if (count && !count.old) await beginCount(owner, db);
      }
    },

    /** Writes down a lifecycle that time alone has brought about, unless something else changed the campaign meanwhile. */
    async settle(campaign: Campaign): Promise<void> {
      const now = clock.now();
      const current = asOf(campaign, now);
      if (current !== campaign) await db.write(changeLifecycle(campaign, current, now));
    },

    /**
     * Tells bidding of a campaign's money and success. Counts only grow: the condition keeps whoever read them earlier from
     * overwriting what was read later, and a campaign deleted meanwhile from leaving its stats behind.
     */
    async publishSpendStats(owner: string, stats: SpendStats): Promise<void> {
      await db.write({
        table: 'campaigns',
        put: storedSpendStats(owner, stats, clock.now()),
        when:
          'attribute_exists(#owner) AND #spent <= :spent AND #impressions <= :impressions AND #clicks <= :clicks AND ' +
          '(attribute_not_exists(#chargedClicks) OR #chargedClicks <= :chargedClicks) AND #conversions <= :conversions',
        values: {
          spent: stats.spent,
          impressions: stats.impressions,
          clicks: stats.clicks,
          chargedClicks: stats.chargedClicks,
          conversions: stats.conversions,
        },
      });
    },

    /** Every change since a moment, oldest first; of several changes of one campaign the last. */
    async *changedSince(ms: number): AsyncGenerator<CampaignChange> {
      const items = db.query({
        table: 'campaigns',
        index: 'byChange',
        where: '#feed = :feed AND #changedAt >= :since',
        values: { feed: FEED, since: ms },
        pageSize: PAGE,
      });
      for await (const item of items) {
        const change = changeOf(item);
        if (change) yield change;
      }
    },
  };
}
