import { asOf } from '../campaigns/as-of.ts';
import type { Campaign } from '../campaigns/campaign.ts';
import { mayShowCreative } from '../campaigns/creative-versions.ts';
import { findCampaign } from '../campaigns/find.ts';
import type { OpenBudget } from '../ledgers/shards/known.ts';
import type { Effects } from '../platform/effects.ts';
import type { Issued } from './bid.ts';

/** How long an instance charges an open budget by the campaign as it read it: all its ads would read one partition too often. */
const KEPT_MS = 1_000;

/**
 * The campaign of a bid. It is read for every charge of its balance; where its budget is open in shards, once a second and opening, after
 * the opening was seen: whoever changes the campaign closes its budget before being answered, and a charge of a closed shard is refused. So
 * one that is kept can let an ad be served, and none keeps an ad from it.
 */
export function campaignsToCharge({ db, clock }: Pick<Effects, 'db' | 'clock'>) {
  const known = new WeakMap<OpenBudget, { campaign: Campaign; readAt: number }>();

  return async ({ campaignOwner, campaignId }: Issued, budget?: OpenBudget): Promise<Campaign | undefined> => {
    const now = clock.now();
    const kept = budget && known.get(budget);
    if (kept && now < kept.readAt + KEPT_MS) {
      const campaign = asOf(kept.campaign, now);
      if (campaign.status === 'active' && mayShowCreative(campaign)) return campaign;
    }
    const campaign = await findCampaign({ db, clock }, campaignOwner, campaignId);
    if (budget && campaign) known.set(budget, { campaign, readAt: now });
    return campaign;
  };
}
