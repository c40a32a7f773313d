import type { MatchOptions } from '../../matching/index.ts';
import type { Opinion } from '../../platform/judge.ts';
import { type Demand, type DemandCandidate, type DemandMatch, getServingRefusal, type Opportunity } from './auction.ts';

/** Candidates that a judge is asked about, at most. */
const MAX_JUDGED_CANDIDATES = 6;
/** Least relevance at which a judge is asked: what the first stage alone would not bid on may be what is wanted. */
const JUDGED_THRESHOLD = 0.08;
/** Least chance of being welcome that may bid, and least share of the highest chance. */
const MIN_WELCOME = 0.5;
const MIN_WELCOME_SHARE = 0.9;

/** What a judge is asked about, and what was known of it then: the demand may change before the answer comes. */
interface Shortlist extends DemandMatch {
  find: Demand['find'];
}

/** The candidates for a second opinion: the most relevant that may bid here, and behind them those that may not. */
export function buildShortlist(demand: Demand, opportunity: Opportunity): Shortlist {
  const matched = demand.match(opportunity.messages, {
    debug: true,
    threshold: JUDGED_THRESHOLD,
    bid: (id) => (getServingRefusal(demand.find(id), opportunity) ? 0 : 1),
  });
  const fitting = matched.candidates.filter(isFitting).sort((a, b) => b.relevance - a.relevance);
  const others = matched.candidates.filter((candidate) => !isFitting(candidate));
  const candidates = [...fitting.slice(0, MAX_JUDGED_CANDIDATES), ...others];
  const known = new Map(candidates.map(({ id }) => [id, demand.find(id)]));
  return { ...matched, candidates, find: (id) => known.get(id)! };
}

export const isFitting = ({ outcome }: DemandCandidate): boolean => outcome === 'match';

/** The demand as a judge sees it: of the shortlist, those bid that would be welcome, with that chance in the place of relevance. */
export function applyOpinion(listed: Shortlist, { safe, welcome }: Opinion): Demand {
  const highest = Math.max(...welcome);
  const least = Math.max(MIN_WELCOME, MIN_WELCOME_SHARE * highest);
  const whyNone = !safe ? 'sensitive_context' : highest < MIN_WELCOME ? 'judge' : 'below_threshold';
  const chances = new Map(listed.candidates.filter(isFitting).map(({ id }, index) => [id, welcome[index] ?? 0]));

  function judged(candidate: DemandCandidate, { bid }: MatchOptions): DemandCandidate {
    if (!safe) return { ...candidate, bid: 0, outcome: 'sensitive_context' };
    const relevance = chances.get(candidate.id);
    if (relevance === undefined) {
      bid(candidate.id, candidate.relevance); // says why it may not
      return candidate;
    }
    if (relevance < MIN_WELCOME) return { ...candidate, relevance, bid: 0, outcome: 'judge' };
    if (relevance < least) return { ...candidate, relevance, bid: 0, outcome: 'outranked' };
    const offered = bid(candidate.id, relevance);
    return { ...candidate, relevance, bid: offered, outcome: offered > 0 ? 'match' : 'refused' };
  }

  return {
    find: listed.find,
    match(_, options) {
      const candidates = listed.candidates.map((candidate) => judged(candidate, options));
      const some = candidates.some(isFitting);
      return {
        noBid: some ? null : whyNone,
        candidates: candidates.sort((a, b) => b.bid * b.relevance - a.bid * a.relevance || b.relevance - a.relevance),
        context: listed.context,
      };
    },
  };
}
