import type { Campaign } from '../campaigns/campaign.ts';
import { hindrance } from '../campaigns/eligibility.ts';
import type { Funds } from '../campaigns/funds.ts';
import type { Matched, Relevance } from '../matching/index.ts';
import type { Micros } from '../money.ts';
import { pace } from './pacing.ts';
import { isPaced, price } from './price.ts';

/** Why a considered campaign did not win (decisions, section 5). */
export type Outcome =
  | 'won'
  | 'paused'
  | 'country'
  | 'budget'
  | 'pacing'
  | 'below_floor'
  | 'no_match'
  | 'below_threshold'
  | 'excluded_keyword'
  | 'lower_rank';

export interface Candidate {
  campaign: Campaign;
  relevance: number;
  matched: Matched[];
  /** CPM in micro-dollars. */
  bid: Micros;
  outcome: Outcome;
}

export interface Opportunity {
  countryCode: string;
  /** The publisher's floor, CPM in micro-dollars. */
  floor: Micros;
  now: number;
  /** A uniform number in [0, 1): whether a campaign ahead of its plan takes part. */
  random(): number;
}

/** Relevance below which an ad would rather disturb than help. */
export const LEAST_RELEVANCE = 0.3;

/**
 * Prices the matched campaigns and ranks them, best first by bid x relevance; the first has won if its outcome says so.
 * Among equals `turn` chooses: given the ids of the equal best, it says whose turn it is.
 */
export function auction(
  matches: readonly (Relevance & { campaign: Campaign; funds: Funds })[],
  opportunity: Opportunity,
  turn: (ids: string[]) => string,
): Candidate[] {
  const candidates = matches.map(({ campaign, funds, relevance, matched, excludedBy }): Candidate => {
    const part = isPaced(campaign) ? pace(campaign, funds, opportunity.now) : 1;
    const bid = price(campaign, funds, relevance, part);
    const reason =
      hindrance(campaign, funds, opportunity.now) ?? reasonNotTo(campaign, relevance, excludedBy, opportunity);
    const outcome =
      reason ?? (opportunity.random() >= part ? 'pacing' : tooLow(bid, opportunity.floor)) ?? 'lower_rank';
    return { campaign, relevance, matched, bid, outcome };
  });
  candidates.sort((a, b) => rank(b) - rank(a));
  const best = candidates[0];
  if (best?.outcome === 'lower_rank') {
    const equals = candidates.filter((candidate) => rank(candidate) === rank(best));
    const winnerId = equals.length === 1 ? best.campaign.id : turn(equals.map(({ campaign }) => campaign.id));
    const at = candidates.findIndex(({ campaign }) => campaign.id === winnerId);
    candidates.unshift({ ...candidates.splice(at, 1)[0]!, outcome: 'won' });
  }
  return candidates;
}

const rank = ({ bid, relevance, outcome }: Candidate): number =>
  outcome === 'lower_rank' ? 1 + bid * relevance : relevance;

/** A bid strictly below the floor does not take part, and neither does one that rounds down to nothing. */
const tooLow = (bid: Micros, floor: Micros): Outcome | null => (bid === 0 || bid < floor ? 'below_floor' : null);

function reasonNotTo(
  campaign: Campaign,
  relevance: number,
  excludedBy: string | null,
  { countryCode }: Opportunity,
): Outcome | null {
  const { countries } = campaign.targetAudience;
  if (countries.length > 0 && !countries.includes(countryCode)) return 'country';
  if (excludedBy) return 'excluded_keyword';
  return relevance < LEAST_RELEVANCE ? 'below_threshold' : null;
}
