import { ledgerStore } from '../budgets/ledger.ts';
import type { Effects } from '../platform/effects.ts';
import type { Campaign } from './campaign.ts';
import { findSuggestedPhrases } from './phrases.ts';
import { presentCampaign } from './present.ts';

/** A campaign with its performance and whether it may serve now, as the operations on one campaign answer it. */
export function createCampaignView(effects: Pick<Effects, 'db' | 'clock'>) {
  const ledgers = ledgerStore(effects);
  return async (campaign: Campaign) => {
    const [[performance], suggested] = await Promise.all([
      ledgers.performance([campaign.id]),
      findSuggestedPhrases(effects, campaign),
    ]);
    return presentCampaign(campaign, performance!, effects.clock.now(), suggested?.phrases);
  };
}
