import { createRoster, type Roster } from '../catalog/entries.ts';
import type { Lexicon } from '../matching/index.ts';
import { Unavailable } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import { biddableOf, mayBid, placed } from './biddable.ts';
import { campaignStore } from './store.ts';

/** Campaigns looked through, the newest first, and for how long: an explanation must not cost a bid its time. */
const MOST = 200;
const PATIENCE_MS = 150;

/**
 * The campaigns of a user that bidding keeps nothing of, since they are drafts, completed or cancelled: an explanation shows which of
 * them would have fitted. Read from the store for each, so that no bid without one pays for it.
 */
export function inactiveCampaigns(effects: Pick<Effects, 'db' | 'clock'>, lexicon: Lexicon) {
  const { clock } = effects;
  const campaigns = campaignStore(effects);

  return async (owner: string): Promise<Roster> => {
    const roster = createRoster(lexicon);
    const until = clock.now() + PATIENCE_MS;
    try {
      for await (const campaign of campaigns.newest(owner, MOST)) {
        if (!mayBid(campaign)) roster.add(biddableOf(placed(campaign, lexicon)));
        if (clock.now() > until) break;
      }
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error; // the bid itself can do without
    }
    return roster;
  };
}
