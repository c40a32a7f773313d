import type { Config } from '../platform/config.ts';
import type { Effects } from '../platform/effects.ts';
import type { Item } from '../platform/items.ts';
import type { Campaign } from './campaign.ts';
import { FEED, fromCampaignItem, isCampaign, isSpendStats, isTombstone, SPEND_FEEDS } from './items.ts';
import { fromStatsItem } from './publish-stats.ts';
import type { SpendStats } from './spend-stats.ts';

/** Small enough that parsing a page does not delay other requests of the process. */
const CHANGES_PER_PAGE = 100;

/**
 * How far each refresh overlaps the previous one. In the cloud, clocks differ and the index lags. On one machine, a change is written only
 * slightly later than its timestamp.
 */
export const getMarginMs = ({ campaignRefreshMs }: Pick<Config, 'campaignRefreshMs'>): number =>
  campaignRefreshMs > 0 ? 10_000 : 1_000;

/** A changed campaign, changed stats, or a deletion, with its time in epoch ms. */
export type CampaignChange = { at: number } & (
  | { kind: 'campaign'; campaign: Campaign }
  | { kind: 'stats'; stats: SpendStats }
  | { kind: 'deleted'; id: string; owner: string; name: string; version: number }
);

/** Converts an item of a feed. */
function toChange(item: Item<'campaigns'>): CampaignChange | undefined {
  if (isSpendStats(item)) return { at: item.changedAt, kind: 'stats', stats: fromStatsItem(item) };
  if (isCampaign(item)) return { at: item.changedAt, kind: 'campaign', campaign: fromCampaignItem(item) };
  if (!isTombstone(item)) return undefined;
  const { changedAt: at, id, owner, name, version } = item;
  return { at, kind: 'deleted', id, owner, name, version };
}

/** Reads all changes since a time, oldest first. A campaign that changed several times appears once, with its last change. */
export const readChangesSince = (effects: Pick<Effects, 'db'>, ms: number): AsyncGenerator<CampaignChange, void> =>
  readFeeds(effects, ms, ms);

/**
 * How far each refresh of stats overlaps the previous one. Most changes are of stats, so the margin is short. It covers clock differences;
 * stats that the index returns late are published again after the next hundredth of a day's budget.
 */
const SPEND_MARGIN_MS = 3_000;

/** Reads the changes that a reader may not have seen yet, including the margins. @param followedUpTo epoch ms */
export function readNewChanges(
  effects: Pick<Effects, 'db' | 'config'>,
  followedUpTo: number,
): AsyncGenerator<CampaignChange, void> {
  const margin = getMarginMs(effects.config);
  return readFeeds(effects, followedUpTo - margin, followedUpTo - Math.min(margin, SPEND_MARGIN_MS));
}

const readFeeds = (effects: Pick<Effects, 'db'>, ms: number, spendMs: number): AsyncGenerator<CampaignChange, void> =>
  mergeOldestFirst([readFeed(effects, FEED, ms), ...SPEND_FEEDS.map((feed) => readFeed(effects, feed, spendMs))]);

async function* readFeed({ db }: Pick<Effects, 'db'>, feed: string, since: number): AsyncGenerator<CampaignChange> {
  const items = db.query({
    table: 'campaigns',
    index: 'byChange',
    where: '#feed = :feed AND #changedAt >= :since',
    values: { feed, since },
    pageSize: CHANGES_PER_PAGE,
  });
  for await (const item of items) {
    const change = toChange(item);
    if (change) yield change;
  }
}

/** Merges feeds by time. The first pages of all feeds are read in parallel. */
async function* mergeOldestFirst(
  feeds: readonly AsyncGenerator<CampaignChange>[],
): AsyncGenerator<CampaignChange, void> {
  const heads = await Promise.all(feeds.map((feed) => feed.next()));
  for (;;) {
    let first: { at: number; change: CampaignChange } | undefined;
    for (const [at, { done, value }] of heads.entries())
      if (!done && (!first || value.at < first.change.at)) first = { at, change: value };
    if (!first) return;
    yield first.change;
    heads[first.at] = await feeds[first.at]!.next();
  }
}
