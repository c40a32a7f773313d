import type { Config } from '../platform/config.ts';
import type { Effects } from '../platform/effects.ts';
import type { Item } from '../platform/items.ts';
import type { Campaign } from './campaign.ts';
import { FEED, isCampaign, isSpendStats, isTombstone } from './items.ts';
import type { SpendStats } from './spend-stats.ts';
import { campaignOf } from './stored.ts';
import { readSpendStats } from './stored-stats.ts';

/** Changes read at a time: few enough that parsing them keeps nobody waiting. */
const CHANGES_PER_PAGE = 100;

/**
 * Changes this old are looked for again: in the cloud, where clocks differ and the index lags, and on one machine, where a
 * change is only written a little later than it is dated.
 */
export const marginMs = ({ campaignRefreshMs }: Pick<Config, 'campaignRefreshMs'>): number =>
  campaignRefreshMs > 0 ? 10_000 : 1_000;

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

/** Every change since a moment, oldest first; of several changes of one campaign the last. */
export async function* changesSince({ db }: Pick<Effects, 'db'>, ms: number): AsyncGenerator<CampaignChange> {
  const items = db.query({
    table: 'campaigns',
    index: 'byChange',
    where: '#feed = :feed AND #changedAt >= :since',
    values: { feed: FEED, since: ms },
    pageSize: CHANGES_PER_PAGE,
  });
  for await (const item of items) {
    const change = changeOf(item);
    if (change) yield change;
  }
}
