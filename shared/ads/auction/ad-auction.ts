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

/** Bounds the store reads for one ad: each unusable creative costs another read. */
const MAX_TRIED_CAMPAIGNS = 5;

/** Where an ad auction gets its campaigns and their creatives. */
export interface AdDemand {
  campaigns: Demand;
  findCreative(campaign: Biddable): Promise<ShownCreative | undefined>;
  breakTie(ids: string[]): string;
}

export type AdOpportunity = Opportunity & Required<Pick<Opportunity, 'getExclusion'>>;

/** The winner with the result of `make`, or why no campaign won. */
type AdOutcome<T> = { auction: Auction } & (
  | { won: { candidate: AuctionCandidate; shown: ShownCreative; result: T }; reason: null }
  | { won?: undefined; reason: NoBidReason }
);

/**
 * Holds an auction for an ad that is part of the response. If `make` cannot use the winner's creative (it returns undefined), the next
 * campaign gets its turn.
 */
export async function holdAdAuction<T>(
  opportunity: AdOpportunity,
  { campaigns, findCreative, breakTie }: AdDemand,
  make: (creative: Creative) => T | undefined,
): Promise<AdOutcome<T>> {
  const unfit = new Map<string, Outcome>();
  const getExclusion = (campaign: Biddable) => unfit.get(campaign.id) ?? opportunity.getExclusion(campaign);
  for (;;) {
    const auction = holdAuction(campaigns, { ...opportunity, getExclusion }, breakTie);
    const { winner: candidate } = auction;
    if (!candidate) return { reason: getNoBidReason(auction), auction };
    if (unfit.size >= MAX_TRIED_CAMPAIGNS) return { reason: 'asset', auction: { ...auction, fillsAt: null } };
    const shown = await findCreative(candidate.campaign);
    const made = shown && make(shown.creative);
    if (made) return { won: { candidate, shown, result: made }, reason: null, auction };
    unfit.set(candidate.campaign.id, shown ? 'asset' : 'catalog_stale');
  }
}
