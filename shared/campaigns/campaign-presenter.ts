import { ledgerStore } from '../budgets/ledger.ts';
import type { Effects } from '../platform/effects.ts';
import type { Campaign } from './campaign.ts';
import { presentCampaign } from './campaign-response.ts';
import { findSuggestedPhrases } from './phrases.ts';

/** Returns a function that presents a campaign with its performance and suggested phrases. */
export function createCampaignPresenter(effects: Pick<Effects, 'db' | 'clock'>) {
  const ledgers = ledgerStore(effects);
  return async (campaign: Campaign) => {
    const [[performance], suggestions] = await Promise.all([
      ledgers.performance([campaign.id]),
      findSuggestedPhrases(effects, campaign),
    ]);
    return presentCampaign(campaign, performance!, effects.clock.now(), suggestions?.phrases);
  };
}
