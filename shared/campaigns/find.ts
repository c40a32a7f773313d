import type { Effects } from '../platform/effects.ts';
import { isId } from '../platform/values/ids.ts';
import type { Campaign } from './campaign.ts';
import { campaignKey, fromCampaignItem, isCampaign, isSpendStats, isTombstone } from './items.ts';
import { asOf } from './lifecycle.ts';
import { fromStatsItem } from './publish-stats.ts';
import type { SpendStats } from './spend-stats.ts';

type Stored = Pick<Effects, 'db' | 'clock'>;

/** Finds a campaign of an owner by ID. */
export async function findCampaign({ db, clock }: Stored, owner: string, id: string): Promise<Campaign | undefined> {
  if (!isId('campaign', id)) return undefined;
  const item = await db.get('campaigns', campaignKey(owner, id));
  return item && isCampaign(item) ? asOf(fromCampaignItem(item), clock.now()) : undefined;
}

async function* readCampaigns({ db, clock }: Stored, owner: string, newest?: number): AsyncGenerator<Campaign> {
  const items = db.query({
    table: 'campaigns',
    where: '#owner = :owner AND begins_with(#item, :campaign)',
    values: { owner, campaign: 'campaign#' },
    consistent: true,
    ...(newest !== undefined && { newestFirst: true, limit: newest }),
  });
  for await (const item of items) if (isCampaign(item)) yield asOf(fromCampaignItem(item), clock.now());
}

/** All campaigns of an owner, oldest first: IDs sort by creation. */
export async function findCampaigns(effects: Stored, owner: string): Promise<Campaign[]> {
  const found: Campaign[] = [];
  for await (const campaign of readCampaigns(effects, owner)) found.push(campaign);
  return found;
}

/** The newest campaigns of an owner, newest first. */
export const findNewestCampaigns = (effects: Stored, owner: string, limit: number): AsyncGenerator<Campaign> =>
  readCampaigns(effects, owner, limit);

/** A campaign of an owner with its spend as bidding knows it, or what is left of one deleted in the last days. */
export interface OwnedCampaign {
  id: string;
  name: string;
  /** Absent if the campaign was deleted. */
  campaign?: Campaign;
  /** Epoch milliseconds; the stats may lag behind by a hundredth of the daily budget, and clicks by a minute. */
  published?: { stats: SpendStats; changedAt: number };
}

/** All campaigns of an owner, including those deleted in the last days, oldest first. Two queries, without any ledger. */
export async function findOwnedCampaigns({ db, clock }: Stored, owner: string): Promise<OwnedCampaign[]> {
  const query = (prefix: string, consistent: boolean) =>
    db.query({
      table: 'campaigns',
      where: '#owner = :owner AND begins_with(#item, :prefix)',
      values: { owner, prefix },
      consistent,
    });
  const readPublished = async () => {
    const published = new Map<string, OwnedCampaign['published']>();
    for await (const item of query('funds#', false))
      if (isSpendStats(item)) published.set(item.id, { stats: fromStatsItem(item), changedAt: item.changedAt });
    return published;
  };
  const readAll = async () => {
    const found: OwnedCampaign[] = [];
    for await (const item of query('campaign#', true)) {
      if (isTombstone(item)) found.push({ id: item.id, name: item.name });
      else if (isCampaign(item)) {
        const campaign = asOf(fromCampaignItem(item), clock.now());
        found.push({ id: campaign.id, name: campaign.name, campaign });
      }
    }
    return found;
  };
  const [found, published] = await Promise.all([readAll(), readPublished()]);
  return found.map((one) => ({ ...one, published: published.get(one.id) }));
}
