import type { AuctionCandidate } from '../bidding/auction.ts';
import { leastBeside } from '../matching/index.ts';
import type { Outcome } from '../values/outcomes.ts';

/** How a campaign fares beside others: numbers alone, since what others are and bid is theirs. */
interface Standing {
  outcome: Outcome;
  others: { bidding: number; better: number };
}

/** Ranks of other owners are known by steps of half as much again, so that no number of questions with other prices tells more. */
const RANK_STEP = Math.log(1.5);
const coarseRank = (rank: number): number => Math.exp(Math.round(Math.log(rank) / RANK_STEP) * RANK_STEP);
/** Beside other owners, relevances are compared by tenths; of the highest, which nothing else would come near, by its lower end. */
const HIGHEST = 0.95;
const coarseRelevance = (relevance: number): number => Math.min(HIGHEST, Math.round(relevance * 10) / 10);

/** How one other campaign stands to it: it fits more clearly, or as well and ranks higher. */
function compare(own: AuctionCandidate, other: AuctionCandidate) {
  const isForeign = other.campaign.owner !== own.campaign.owner;
  const relevanceOf = ({ relevance }: AuctionCandidate) => (isForeign ? coarseRelevance(relevance) : relevance);
  const rankOf = ({ bid, relevance }: AuctionCandidate) => bid * relevance;
  const [ours, theirs] = [relevanceOf(own), relevanceOf(other)];
  const rank = isForeign ? coarseRank(rankOf(other)) : rankOf(other);
  return {
    isClearer: ours < leastBeside(theirs),
    isHigher: theirs >= leastBeside(ours) && rank > rankOf(own),
  };
}

/** What comes of a campaign that would win alone, once those bid that win or lose an auction without it. */
export function standing(own: AuctionCandidate, candidates: readonly AuctionCandidate[]): Standing {
  const bidding = candidates
    .filter(({ outcome }) => outcome === 'won' || outcome === 'lower_rank')
    .map((other) => compare(own, other));
  const clearer = bidding.filter(({ isClearer }) => isClearer).length;
  if (clearer > 0) return { outcome: 'outranked', others: { bidding: bidding.length, better: clearer } };
  const better = bidding.filter(({ isHigher }) => isHigher).length;
  return { outcome: better > 0 ? 'lower_rank' : 'won', others: { bidding: bidding.length, better } };
}
