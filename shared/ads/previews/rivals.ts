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

/** How another campaign beats this one: it matches more clearly, or it matches as well and ranks higher. Null if it does not beat it. */
function compareRival(own: AuctionCandidate, other: AuctionCandidate) {
  const isForeign = other.campaign.owner !== own.campaign.owner;
  const getRelevance = ({ relevance }: AuctionCandidate) => (isForeign ? roundRelevance(relevance) : relevance);
  const getRank = ({ bid, relevance }: AuctionCandidate) => bid * relevance;
  const [ours, theirs] = [getRelevance(own), getRelevance(other)];
  const rank = isForeign ? roundRank(getRank(other)) : getRank(other);
  const isClearer = ours < toRelativeThreshold(theirs);
  // In a tie, the campaign with the higher closeness wins, as in the auction.
  const isAhead = rank > getRank(own) || (!isForeign && rank === getRank(own) && other.closeness > own.closeness);
  const isHigher = theirs >= toRelativeThreshold(ours) && isAhead;
  return isClearer || isHigher ? { isForeign, isClearer } : null;
}

/** Ranks a campaign that would win alone against the candidates of an auction without it. */
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
 * The owner's other campaigns that were considered, each with its outcome. Among the owner's campaigns, the outcome is exact. Against other
 * owners' campaigns, each gets the outcome of its own preview, so that the list reveals no more about them than separate previews would.
 *
 * @param family candidates of an auction among only the owner's campaigns
 * @param rivals candidates of the auction without the previewed campaign
 */
export function presentSiblings(
  family: readonly AuctionCandidate[],
  rivals: readonly AuctionCandidate[],
  previewed: { id: string; owner: string },
  getKeywords: GetKeywords,
) {
  const foreign = rivals.filter(({ campaign }) => campaign.owner !== previewed.owner);
  const getOutcome = (sibling: AuctionCandidate): { outcome: Outcome; means: string } => {
    const current = { outcome: sibling.outcome, means: OUTCOMES[sibling.outcome].means };
    if (sibling.outcome !== 'won' && sibling.outcome !== 'lower_rank') return current;
    const ranking = rankAmongRivals(sibling, [...foreign, ...family.filter((other) => other !== sibling)]);
    // In a tie, neither campaign ranks higher, but only one wins.
    return ranking.outcome === 'won' ? current : ranking;
  };
  return family
    .filter(({ campaign }) => campaign.id !== previewed.id)
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
