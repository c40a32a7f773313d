import type { Effects } from '../platform/effects.ts';
import { isId } from '../platform/values/ids.ts';
import type { Campaign } from './campaign.ts';
import { campaignKey, fromCampaignItem, isCampaign } from './items.ts';
import { asOf } from './lifecycle.ts';

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
