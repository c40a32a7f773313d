import type { Opening } from '../../budgets/shards/opening-cache.ts';
import type { Campaign } from '../../campaigns/campaign.ts';
import { canShowCreative } from '../../campaigns/creative-versions.ts';
import { findCampaign } from '../../campaigns/find.ts';
import { asOf } from '../../campaigns/lifecycle.ts';
import type { Effects } from '../../platform/effects.ts';
import type { Issued } from './bid.ts';

/** Cache time of a campaign whose balance is sharded. Reading it for every ad would overload its partition. */
const CACHE_MS = 1_000;

/**
 * Reads the campaign of a bid. Without shards, it reads for every charge. With shards, it keeps the campaign for a second, as long as the
 * same shards are open. That is safe: an update closes the campaign's shards before it returns, and a closed shard refuses charges. A cached
 * campaign that would not serve is read again, because it may have been resumed.
 */
export function createCampaignReader({ db, clock }: Pick<Effects, 'db' | 'clock'>) {
  const cache = new WeakMap<Opening, { campaign: Campaign; readAt: number }>();

  return async ({ campaignOwner, campaignId }: Issued, opening?: Opening): Promise<Campaign | undefined> => {
    const now = clock.now();
    const cached = opening && cache.get(opening);
    if (cached && now < cached.readAt + CACHE_MS) {
      const campaign = asOf(cached.campaign, now);
      if (campaign.status === 'active' && canShowCreative(campaign)) return campaign;
    }
    const campaign = await findCampaign({ db, clock }, campaignOwner, campaignId);
    if (opening && campaign) cache.set(opening, { campaign, readAt: now });
    return campaign;
  };
}
