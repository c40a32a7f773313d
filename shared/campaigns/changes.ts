import type { Config } from '../platform/config.ts';
import type { Effects } from '../platform/effects.ts';
import type { Item } from '../platform/items.ts';
import type { Campaign } from './campaign.ts';
import { FEED, fromCampaignItem, isCampaign, isSpendStats, isTombstone, SPEND_FEEDS } from './items.ts';
import { fromStatsItem } from './publish-stats.ts';
import type { SpendStats } from './spend-stats.ts';

/** Changes read at a time: few enough that parsing them keeps nobody waiting. */
const CHANGES_PER_PAGE = 100;

/**
 * Changes this old are looked for again: in the cloud, where clocks differ and the index lags, and on one machine, where a
 * change is only written a little later than it is dated.
 */
export const getMarginMs = ({ campaignRefreshMs }: Pick<Config, 'campaignRefreshMs'>): number =>
  campaignRefreshMs > 0 ? 10_000 : 1_000;

/** What changed, and when: a campaign, its stats, or that it was deleted. */
export type CampaignChange = { at: number } & (
  | { kind: 'campaign'; campaign: Campaign }
  | { kind: 'stats'; stats: SpendStats }
  | { kind: 'deleted'; id: string; owner: string; name: string; version: number }
);

/** Nothing else is in the feeds. */
function changeOf(item: Item<'campaigns'>): CampaignChange | undefined {
  if (isSpendStats(item)) return { at: item.changedAt, kind: 'stats', stats: fromStatsItem(item) };
  if (isCampaign(item)) return { at: item.changedAt, kind: 'campaign', campaign: fromCampaignItem(item) };
  if (!isTombstone(item)) return undefined;
  const { changedAt: at, id, owner, name, version } = item;
  return { at, kind: 'deleted', id, owner, name, version };
}

/** Every change since a moment, oldest first; of several changes of one campaign the last. */
export const readChangesSince = (effects: Pick<Effects, 'db'>, ms: number): AsyncGenerator<CampaignChange, void> =>
  changesOf(effects, ms, ms);

/**
 * How far back changes of stats are looked for: clocks in the cloud differ by less, and what an index answers late is told again with
 * the next hundredth of a day's budget. Most changes are these, so they are not read ten times over.
 */
const SPEND_MARGIN_MS = 3_000;

/** What whoever has followed the changes up to a moment may not know yet, the margins included. */
export function readNewChanges(
  effects: Pick<Effects, 'db' | 'config'>,
  followedUpTo: number,
): AsyncGenerator<CampaignChange, void> {
  const margin = getMarginMs(effects.config);
  return changesOf(effects, followedUpTo - margin, followedUpTo - Math.min(margin, SPEND_MARGIN_MS));
}

const changesOf = (effects: Pick<Effects, 'db'>, ms: number, spendMs: number): AsyncGenerator<CampaignChange, void> =>
  oldestFirst([changesIn(effects, FEED, ms), ...SPEND_FEEDS.map((feed) => changesIn(effects, feed, spendMs))]);

async function* changesIn({ db }: Pick<Effects, 'db'>, feed: string, since: number): AsyncGenerator<CampaignChange> {
  const items = db.query({
    table: 'campaigns',
    index: 'byChange',
    where: '#feed = :feed AND #changedAt >= :since',
    values: { feed, since },
    pageSize: CHANGES_PER_PAGE,
  });
  for await (const item of items) {
    const change = changeOf(item);
    if (change) yield change;
  }
}

/** One order of several: their beginnings are asked for at once. */
async function* oldestFirst(feeds: readonly AsyncGenerator<CampaignChange>[]): AsyncGenerator<CampaignChange, void> {
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
