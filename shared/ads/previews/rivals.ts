import { toRelativeThreshold } from '../../matching/index.ts';
import { OUTCOMES, type Outcome } from '../../platform/values/outcomes.ts';
import type { AuctionCandidate } from '../auction/auction.ts';
import { type GetKeywords, presentMatched, presentPrice } from '../auction/present.ts';

/** How a campaign ranks among others. Reports only how many rank higher, never which: other owners' campaigns and bids are private. */
interface RivalRanking {
  outcome: Outcome;
  means: string;
  others: { better: number };
}

/** Rounds ranks of other owners to powers of two, so that repeated previews cannot reveal their bids. */
const roundRank = (rank: number): number => 2 ** Math.round(Math.log2(rank));
/** Rounds relevance to tenths for comparisons with other owners. */
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

/** Ranks a campaign that would win on its own among the candidates of an auction without it. */
export function rankAmongRivals(own: AuctionCandidate, candidates: readonly AuctionCandidate[]): RivalRanking {
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
  getKeywords: GetKeywords,
) {
  const foreign = rivals.filter(({ campaign }) => campaign.owner !== looked.owner);
  const getOutcome = (sibling: AuctionCandidate): { outcome: Outcome; means: string } => {
    const asItIs = { outcome: sibling.outcome, means: OUTCOMES[sibling.outcome].means };
    if (sibling.outcome !== 'won' && sibling.outcome !== 'lower_rank') return asItIs;
    const beside = rankAmongRivals(sibling, [...foreign, ...family.filter((other) => other !== sibling)]);
    // In a tie, no campaign ranks higher, but only one wins.
    return beside.outcome === 'won' ? asItIs : beside;
  };
  return family
    .filter(({ campaign }) => campaign.id !== looked.id)
    .slice(0, MAX_SHOWN_SIBLINGS)
    .map((sibling) => {
      const { outcome, means } = getOutcome(sibling);
      return {
        campaignId: sibling.campaign.id,
        name: sibling.campaign.name,
        relevance: Math.round(sibling.relevance * 1e4) / 1e4,
        matched: presentMatched(sibling, getKeywords),
        price: sibling.bid > 0 ? presentPrice(sibling) : null,
        outcome,
        means,
      };
    });
}
