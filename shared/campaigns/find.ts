import type { Effects } from '../platform/effects.ts';
import { isId } from '../platform/values/ids.ts';
import type { Campaign } from './campaign.ts';
import { campaignKey, fromCampaignItem, isCampaign } from './items.ts';
import { asOf } from './lifecycle.ts';

type Stored = Pick<Effects, 'db' | 'clock'>;

/** A user's campaign of this id. */
export async function findCampaign({ db, clock }: Stored, owner: string, id: string): Promise<Campaign | undefined> {
  if (!isId('campaign', id)) return undefined;
  const item = await db.get('campaigns', campaignKey(owner, id));
  return item && isCampaign(item) ? asOf(fromCampaignItem(item), clock.now()) : undefined;
}

async function* read({ db, clock }: Stored, owner: string, newest?: number): AsyncGenerator<Campaign> {
  const items = db.query({
    table: 'campaigns',
    where: '#owner = :owner AND begins_with(#item, :campaign)',
    values: { owner, campaign: 'campaign#' },
    consistent: true,
    ...(newest !== undefined && { newestFirst: true, limit: newest }),
  });
  for await (const item of items) if (isCampaign(item)) yield asOf(fromCampaignItem(item), clock.now());
}

/** A user's campaigns in the order of their creation: their ids sort so. */
export async function findCampaigns(effects: Stored, owner: string): Promise<Campaign[]> {
  const found: Campaign[] = [];
  for await (const campaign of read(effects, owner)) found.push(campaign);
  return found;
}

/** A user's newest campaigns, the last created first. */
export const findNewestCampaigns = (effects: Stored, owner: string, limit: number): AsyncGenerator<Campaign> =>
  read(effects, owner, limit);
