import { toRelativeThreshold } from '../../matching/index.ts';
import { OUTCOMES, type Outcome } from '../../platform/values/outcomes.ts';
import type { AuctionCandidate } from '../auction/auction.ts';

/** How a campaign fares beside others. Of other owners' it tells how many are in its way, and not by what: what they are and bid is theirs. */
interface AmongRivals {
  outcome: Outcome;
  means: string;
  others: { better: number };
}

/** Ranks of other owners are known as powers of two, so that no number of questions with other prices tells more. */
const roundRank = (rank: number): number => 2 ** Math.round(Math.log2(rank));
/** Beside other owners, relevances are compared by tenths. */
const roundRelevance = (relevance: number): number => Math.round(relevance * 10) / 10;

/** How one other campaign is in its way: it fits more clearly, or as well and ranks higher; null where it is not. */
function compareRival(own: AuctionCandidate, other: AuctionCandidate) {
  const isForeign = other.campaign.owner !== own.campaign.owner;
  const relevanceOf = ({ relevance }: AuctionCandidate) => (isForeign ? roundRelevance(relevance) : relevance);
  const rankOf = ({ bid, relevance }: AuctionCandidate) => bid * relevance;
  const [ours, theirs] = [relevanceOf(own), relevanceOf(other)];
  const rank = isForeign ? roundRank(rankOf(other)) : rankOf(other);
  const isClearer = ours < toRelativeThreshold(theirs);
  // Of equals the closest wins, as in the auction itself.
  const isAhead = rank > rankOf(own) || (!isForeign && rank === rankOf(own) && other.closeness > own.closeness);
  const isHigher = theirs >= toRelativeThreshold(ours) && isAhead;
  return isClearer || isHigher ? { isForeign, isClearer } : null;
}

/** What comes of a campaign that would win alone, once those bid that win or lose an auction without it. */
export function rankAmongRivals(own: AuctionCandidate, candidates: readonly AuctionCandidate[]): AmongRivals {
  const ahead = candidates
    .filter(({ outcome }) => outcome === 'won' || outcome === 'lower_rank')
    .flatMap((other) => compareRival(own, other) ?? []);
  const others = { better: ahead.length };
  if (ahead.some(({ isForeign }) => isForeign))
    return { outcome: 'outranked', means: "Another advertiser's campaign fits better here, or bids more.", others };
  const isOutranked = ahead.some(({ isClearer }) => isClearer);
  const outcome = isOutranked ? 'outranked' : ahead.length > 0 ? 'lower_rank' : 'won';
  return { outcome, means: OUTCOMES[outcome].means, others };
}
