import type { AuctionCandidate } from '../bidding/auction.ts';
import { RELEVANCE_MODEL } from '../matching/index.ts';
import type { Outcome } from '../values/outcomes.ts';

/** How a campaign fares beside others: numbers alone, since what others are and bid is theirs. */
interface Standing {
  outcome: Outcome;
  others: { bidding: number; better: number };
}

const rank = ({ bid, relevance }: AuctionCandidate): number => bid * relevance;

/** What comes of a campaign that would win alone, once those bid that win or lose an auction without it. */
export function standing(own: AuctionCandidate, candidates: readonly AuctionCandidate[]): Standing {
  const least = (relevance: number) => RELEVANCE_MODEL.relativeThreshold * relevance;
  const bidding = candidates.filter(({ outcome }) => outcome === 'won' || outcome === 'lower_rank');
  const clearer = bidding.filter(({ relevance }) => own.relevance < least(relevance));
  if (clearer.length > 0) return { outcome: 'outranked', others: { bidding: bidding.length, better: clearer.length } };
  const better = bidding.filter((other) => other.relevance >= least(own.relevance) && rank(other) > rank(own));
  return {
    outcome: better.length > 0 ? 'lower_rank' : 'won',
    others: { bidding: bidding.length, better: better.length },
  };
}
