import type { Biddable } from '../../campaigns/biddable.ts';
import type { Creative } from '../../campaigns/creative.ts';
import type { ShownCreative } from '../../campaigns/creative-versions.ts';
import type { NoBidReason, Outcome } from '../../platform/values/outcomes.ts';
import {
  type Auction,
  type AuctionCandidate,
  type Demand,
  getNoBidReason,
  holdAuction,
  type Opportunity,
} from './auction.ts';

/** Campaigns whose creatives are tried for one ad: the best, and those behind it while theirs do not do. */
const MAX_TRIED_CAMPAIGNS = 5;

/** What an auction whose ad leaves with the answer takes. */
export interface AdDemand {
  campaigns: Demand;
  findCreative(campaign: Biddable): Promise<ShownCreative | undefined>;
  breakTie(ids: string[]): string;
}

export type AdOpportunity = Opportunity & Required<Pick<Opportunity, 'excludes'>>;

/** What came of it: the winner with what was made of its creative, or why there is none. */
type AdOutcome<T> = { auction: Auction } & (
  | { won: { candidate: AuctionCandidate; shown: ShownCreative; made: T }; reason: null }
  | { won?: undefined; reason: NoBidReason }
);

/** The best campaign of whose creative `make` can make something; one of which it cannot leaves its place to the next. */
export async function holdAdAuction<T>(
  opportunity: AdOpportunity,
  { campaigns, findCreative, breakTie }: AdDemand,
  make: (creative: Creative) => T | undefined,
): Promise<AdOutcome<T>> {
  const unfit = new Map<string, Outcome>();
  const excludes = (campaign: Biddable) => unfit.get(campaign.id) ?? opportunity.excludes(campaign);
  for (;;) {
    const auction = holdAuction(campaigns, { ...opportunity, excludes }, breakTie);
    const { winner: candidate } = auction;
    if (!candidate || unfit.size >= MAX_TRIED_CAMPAIGNS)
      return { reason: candidate ? 'asset' : getNoBidReason(auction), auction };
    const shown = await findCreative(candidate.campaign);
    const made = shown && make(shown.creative);
    if (made) return { won: { candidate, shown, made }, reason: null, auction };
    unfit.set(candidate.campaign.id, shown ? 'asset' : 'catalog_stale');
  }
}
