import { canBid, toBiddable, withCurrentProfile } from '../../campaigns/biddable.ts';
import { findNewestCampaigns } from '../../campaigns/find.ts';
import type { Lexicon } from '../../matching/index.ts';
import type { Effects } from '../../platform/effects.ts';
import { unlessUnavailable } from '../../platform/unavailable.ts';
import { type CatalogEntries, createCatalogEntries } from './entries.ts';

/** Limits of campaigns and time, so that an explanation does not delay the bid. */
const MAX_CAMPAIGNS = 200;
const READ_LIMIT_MS = 150;

/**
 * Reads an owner's drafts, completed, and cancelled campaigns, newest first. The catalog does not contain them, but an explanation shows
 * which of them would have matched. Only explanations read them, so other bids do not pay for it.
 */
export function createInactiveCampaignReader(effects: Pick<Effects, 'db' | 'clock'>, lexicon: Lexicon) {
  const { clock } = effects;

  return async (owner: string): Promise<CatalogEntries> => {
    const entries = createCatalogEntries(lexicon);
    const until = clock.now() + READ_LIMIT_MS;
    try {
      for await (const campaign of findNewestCampaigns(effects, owner, MAX_CAMPAIGNS)) {
        if (!canBid(campaign)) entries.add(toBiddable(withCurrentProfile(campaign, lexicon)));
        if (clock.now() > until) break;
      }
    } catch (error) {
      unlessUnavailable(error); // the bid does not need these campaigns
    }
    return entries;
  };
}
