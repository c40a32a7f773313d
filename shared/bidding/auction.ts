import type { Campaign } from '../campaigns/campaign.ts';
import { hindrance } from '../campaigns/eligibility.ts';
import type { Matched, Relevance } from '../matching/index.ts';
import type { Micros } from '../money.ts';
import { price } from './price.ts';

/** Why a considered campaign did not win (decisions, section 5). */
export type Outcome =
  | 'won'
  | 'paused'
  | 'country'
  | 'budget'
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
}

/** Relevance below which an ad would rather disturb than help. */
export const LEAST_RELEVANCE = 0.3;

/**
 * Prices the matched campaigns and ranks them, best first by bid x relevance; the first has won if its outcome says so.
 * Among equals `turn` chooses: given the ids of the equal best, it says whose turn it is.
 */
export function auction(
  matches: readonly (Relevance & { campaign: Campaign })[],
  opportunity: Opportunity,
  turn: (ids: string[]) => string,
): Candidate[] {
  const candidates = matches.map(({ campaign, relevance, matched, excludedBy }): Candidate => {
    const bid = price(campaign, relevance);
    const outcome = reasonNotTo(campaign, relevance, bid, excludedBy, opportunity) ?? 'lower_rank';
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

function reasonNotTo(
  campaign: Campaign,
  relevance: number,
  bid: Micros,
  excludedBy: string | null,
  { countryCode, floor, now }: Opportunity,
): Outcome | null {
  const { countries } = campaign.targetAudience;
  const hindered = hindrance(campaign, now);
  if (hindered) return hindered;
  if (countries.length > 0 && !countries.includes(countryCode)) return 'country';
  if (excludedBy) return 'excluded_keyword';
  if (relevance < LEAST_RELEVANCE) return 'below_threshold';
  if (bid === 0 || bid < floor) return 'below_floor';
  return null;
}
