import { canBid, toBiddable, withCurrentProfile } from '../../campaigns/biddable.ts';
import { findNewestCampaigns } from '../../campaigns/find.ts';
import type { Lexicon } from '../../matching/index.ts';
import type { Effects } from '../../platform/effects.ts';
import { unlessUnavailable } from '../../platform/unavailable.ts';
import { type CatalogEntries, createCatalogEntries } from './entries.ts';

/** Campaigns looked through, the newest first, and for how long: an explanation must not cost a bid its time. */
const MAX_CAMPAIGNS = 200;
const READ_LIMIT_MS = 150;

/**
 * The campaigns of a user that bidding keeps nothing of, since they are drafts, completed or cancelled: an explanation shows which of
 * them would have fitted. Read from the store for each, so that no bid without one pays for it.
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
      unlessUnavailable(error); // the bid itself can do without
    }
    return entries;
  };
}
