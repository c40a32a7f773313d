import type { DemandMatch } from '../bidding/auction.ts';
import type { Biddable } from '../campaigns/biddable.ts';
import type { SpendStats } from '../campaigns/spend-stats.ts';
import type { Lexicon, MatchOptions, Message } from '../matching/index.ts';
import { type CatalogEffects, type CatalogOptions, createKnownCampaigns } from './known-campaigns.ts';

/**
 * The catalog: what one bidding instance knows of the campaigns, those that might bid, in memory, with their index for matching.
 * A new instance learns them from the snapshot while it answers already; then it follows changes by their time.
 */
export function createCatalog(effects: CatalogEffects, lexicon: Lexicon, options?: CatalogOptions) {
  let known = createKnownCampaigns(effects, lexicon, options);
  return {
    /**
     * Makes the catalog no older than CAMPAIGN_REFRESH_SECONDS: at most one query, and none while it is fresh. Never fails and
     * takes its time: what is not known when a bid can wait no longer comes to be known beside it.
     */
    refresh(): Promise<void> {
      if (known.sleptTooLong()) known = createKnownCampaigns(effects, lexicon, options);
      return known.refresh();
    },

    /** Says that what is under way was cut off and will never end: the next refresh goes on from where it was. */
    cutOff: (): void => known.cutOff(),

    /** Matches a conversation with the campaigns; with none at all while too little is known of them, or what is known is too old. */
    match: (messages: readonly Message[], options: MatchOptions): DemandMatch => known.match(messages, options),

    /** A campaign of the catalog, and its money. */
    find: (id: string): { campaign: Biddable; stats: SpendStats } => known.find(id),

    /** How many campaigns are known so far, and whether these are all: after too long a sleep nobody knows, and they are learnt anew. */
    size: (): number => known.size(),
    isComplete: (): boolean => known.isComplete() && !known.sleptTooLong(),
  };
}
