import type { Opening } from '../../budgets/shards/opening-cache.ts';
import type { Campaign } from '../../campaigns/campaign.ts';
import { canShowCreative } from '../../campaigns/creative-versions.ts';
import { findCampaign } from '../../campaigns/find.ts';
import { asOf } from '../../campaigns/lifecycle.ts';
import type { Effects } from '../../platform/effects.ts';
import type { Issued } from './bid.ts';

/** How long an instance keeps the campaign of an open balance. Reading it for every ad would ask too much of one partition. */
const KEPT_MS = 1_000;

/**
 * The campaign of a bid. It is read for every charge of its balance; while the balance is open in shards, once a second for each opening,
 * after the opening was seen. A change of the campaign closes the balance before it is answered, and a closed shard refuses charges. So a
 * kept campaign may let an ad be served; before one keeps an ad from being served, the campaign is read again.
 */
export function createCampaignReader({ db, clock }: Pick<Effects, 'db' | 'clock'>) {
  const known = new WeakMap<Opening, { campaign: Campaign; readAt: number }>();

  return async ({ campaignOwner, campaignId }: Issued, opening?: Opening): Promise<Campaign | undefined> => {
    const now = clock.now();
    const kept = opening && known.get(opening);
    if (kept && now < kept.readAt + KEPT_MS) {
      const campaign = asOf(kept.campaign, now);
      if (campaign.status === 'active' && canShowCreative(campaign)) return campaign;
    }
    const campaign = await findCampaign({ db, clock }, campaignOwner, campaignId);
    if (opening && campaign) known.set(opening, { campaign, readAt: now });
    return campaign;
  };
}
