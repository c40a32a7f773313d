import type { MatchOptions } from '../../matching/index.ts';
import type { Opinion } from '../../platform/judge.ts';
import type { Thresholds } from '../../platform/values/ad-strictness.ts';
import { type Demand, type DemandCandidate, type DemandMatch, getServingRefusal, type Opportunity } from './auction.ts';

const MAX_JUDGED_CANDIDATES = 6;
/** Lower than the bidding threshold: the judge may approve a campaign that matching would reject. */
const JUDGED_THRESHOLD = 0.08;
/**
 * Minimum probability of being welcome for a campaign to bid. If an unwelcome ad costs c times what a welcome one gains, an ad pays from
 * c / (1 + c) on: 2/3 for twice, 1/2 for as much, 1/3 for half.
 */
const MIN_WELCOME: Thresholds = { strict: 0.67, balanced: 0.5, open: 0.33 };
/** Minimum share of the highest probability for a campaign to bid. */
const MIN_WELCOME_SHARE = 0.9;

/** Candidates for the judge, with their campaigns as of the request: the catalog may change while the judge works. */
interface Shortlist extends DemandMatch {
  find: Demand['find'];
}

/** Builds the shortlist: the most relevant candidates that may bid, followed by those that may not. */
export function buildShortlist(demand: Demand, opportunity: Opportunity): Shortlist {
  const matched = demand.match(opportunity.messages, {
    debug: true,
    threshold: JUDGED_THRESHOLD,
    relativeThreshold: 0,
    bid: (id) => (getServingRefusal(demand.find(id), opportunity) ? 0 : 1),
  });
  const fitting = matched.candidates.filter(isFitting).sort((a, b) => b.relevance - a.relevance);
  const others = matched.candidates.filter((candidate) => !isFitting(candidate));
  const candidates = [...fitting.slice(0, MAX_JUDGED_CANDIDATES), ...others];
  const entries = new Map(candidates.map(({ id }) => [id, demand.find(id)]));
  return { ...matched, candidates, find: (id) => entries.get(id)! };
}

export const isFitting = ({ outcome }: DemandCandidate): boolean => outcome === 'match';

/** Turns a shortlist and the judge's opinion into the demand of an auction: the probability of being welcome replaces relevance. */
export function applyOpinion(shortlist: Shortlist, { safe, welcome }: Opinion): Demand {
  const highest = Math.max(...welcome);
  const chances = new Map(shortlist.candidates.filter(isFitting).map(({ id }, index) => [id, welcome[index] ?? 0]));

  function applyToCandidate(candidate: DemandCandidate, threshold: number, bid: MatchOptions['bid']): DemandCandidate {
    if (!safe) return { ...candidate, bid: 0, outcome: 'sensitive_context' };
    const relevance = chances.get(candidate.id);
    if (relevance === undefined) {
      bid(candidate.id, candidate.relevance); // only records the refusal
      return candidate;
    }
    const isOutranked = relevance < MIN_WELCOME_SHARE * highest;
    if (relevance < threshold) return { ...candidate, relevance, bid: 0, outcome: 'judge', isHeldBack: !isOutranked };
    if (isOutranked) return { ...candidate, relevance, bid: 0, outcome: 'outranked' };
    const bidAmount = bid(candidate.id, relevance);
    return { ...candidate, relevance, bid: bidAmount, outcome: bidAmount > 0 ? 'match' : 'refused' };
  }

  return {
    find: shortlist.find,
    thresholds: MIN_WELCOME,
    match(_, { bid, threshold = MIN_WELCOME.balanced }) {
      const candidates = shortlist.candidates.map((candidate) => applyToCandidate(candidate, threshold, bid));
      const noBidReason = !safe ? 'sensitive_context' : highest < threshold ? 'judge' : 'below_threshold';
      return {
        noBid: candidates.some(isFitting) ? null : noBidReason,
        candidates: candidates.sort((a, b) => b.bid * b.relevance - a.bid * a.relevance || b.relevance - a.relevance),
        context: shortlist.context,
      };
    },
  };
}
