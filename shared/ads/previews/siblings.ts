import { OUTCOMES, type Outcome } from '../../platform/values/outcomes.ts';
import type { AuctionCandidate } from '../auction/auction.ts';
import { type GetKeywords, presentMatched, presentPrice } from '../auction/present.ts';
import { rankAmongRivals } from './rivals.ts';

/** Campaigns that are told, at most. */
const MAX_SHOWN_SIBLINGS = 20;

/**
 * The owner's other campaigns that were considered, and what came of each. What they are to each other is told as it is; beside campaigns
 * of others each stands as if it were looked at itself, so that they tell no more of those than a look at each does.
 *
 * @param family an auction among the owner's campaigns alone @param rivals what bids beside the one that is looked at
 */
export function presentSiblings(
  family: readonly AuctionCandidate[],
  rivals: readonly AuctionCandidate[],
  looked: { id: string; owner: string },
  keywordsOf: GetKeywords,
) {
  const foreign = rivals.filter(({ campaign }) => campaign.owner !== looked.owner);
  const fateOf = (sibling: AuctionCandidate): { outcome: Outcome; means: string } => {
    const asItIs = { outcome: sibling.outcome, means: OUTCOMES[sibling.outcome].means };
    if (sibling.outcome !== 'won' && sibling.outcome !== 'lower_rank') return asItIs;
    const beside = rankAmongRivals(sibling, [...foreign, ...family.filter((other) => other !== sibling)]);
    // Nobody is ahead of any of several equals, and one of them has its turn.
    return beside.outcome === 'won' ? asItIs : beside;
  };
  return family
    .filter(({ campaign }) => campaign.id !== looked.id)
    .slice(0, MAX_SHOWN_SIBLINGS)
    .map((sibling) => {
      const { outcome, means } = fateOf(sibling);
      return {
        campaignId: sibling.campaign.id,
        name: sibling.campaign.name,
        relevance: Math.round(sibling.relevance * 1e4) / 1e4,
        matched: presentMatched(sibling, keywordsOf),
        price: sibling.bid > 0 ? presentPrice(sibling) : null,
        outcome,
        means,
      };
    });
}
