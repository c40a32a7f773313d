import type { Biddable } from '../../campaigns/biddable.ts';
import { findServingReasons } from '../../campaigns/eligibility.ts';
import type { SpendStats } from '../../campaigns/spend-stats.ts';
import type { MatchCandidate, MatchedTerm, MatchOptions, MatchResult, Message } from '../../matching/index.ts';
import { remember } from '../../platform/values/cache.ts';
import { type Micros, micros } from '../../platform/values/money.ts';
import { isNoBidReason, type NoBidReason, type Outcome } from '../../platform/values/outcomes.ts';
import { getPace, getPriceTerms, isPaced, type PriceTerms, priceBid } from './price.ts';

export interface AuctionCandidate {
  campaign: Biddable;
  relevance: number;
  /** Of equals the closest wins. */
  closeness: number;
  /** What spoke for it; keywords by number among those of this version of the campaign. */
  matched: MatchedTerm[];
  /** CPM in micro-dollars. */
  bid: Micros;
  /** What the bid was made of; undefined where none was asked for, or nothing is to be explained. */
  priceTerms: PriceTerms | undefined;
  outcome: Outcome;
  /** The field of the campaign that keeps it from serving. */
  field?: string;
}

/** What matching finds; or that too little is known of the campaigns, or too long ago, to match any; or that a judge is against all that may bid. */
export interface DemandMatch extends Omit<MatchResult, 'noBid' | 'candidates'> {
  noBid: MatchResult['noBid'] | 'catalog_stale' | 'judge';
  candidates: DemandCandidate[];
}

/** A candidate of matching; or one that the second opinion is against. */
export interface DemandCandidate extends Omit<MatchCandidate, 'outcome'> {
  outcome: MatchCandidate['outcome'] | 'judge';
}

/** The campaigns among which an auction is held. */
export interface Demand {
  match(messages: readonly Message[], options: MatchOptions): DemandMatch;
  find(id: string): { campaign: Biddable; stats: SpendStats };
}

export interface Opportunity {
  messages: readonly Message[];
  /** Upper case; undefined when it is not known: campaigns for certain countries stay out. */
  countryCode?: string;
  /** The publisher's floor, CPM in micro-dollars. */
  floor: Micros;
  now: number;
  /** A uniform number in [0, 1): whether a campaign ahead of its plan takes part. */
  random(): number;
  /** Why the place is none for a campaign; null when it is one. */
  excludes?(campaign: Biddable): Outcome | null;
  /** Whether to explain every candidate, not the winner alone. */
  debug: boolean;
}

export interface Auction extends Pick<DemandMatch, 'noBid' | 'context'> {
  winner: AuctionCandidate | undefined;
  /** Best first by bid x relevance, the winner before its equals; those that could not bid last. */
  candidates: AuctionCandidate[];
}

/**
 * Finds the campaigns that fit and may bid, and lets the highest bid x relevance win. Prices are asked for one by one, best
 * first: of much demand only the front is priced. Among equals those known to be in the conversation's language come first, and
 * `breakTie` chooses one.
 */
export function holdAuction(demand: Demand, opportunity: Opportunity, breakTie: (ids: string[]) => string): Auction {
  const priced = new Map<string, Offer>();
  const found = demand.match(opportunity.messages, {
    debug: opportunity.debug,
    bid(id, relevance) {
      const offer = toOffer(demand.find(id), relevance, opportunity);
      priced.set(id, offer);
      return offer.refusal ? 0 : offer.bid;
    },
  });
  const candidates = found.candidates.map(({ id, relevance, closeness, matched, outcome }): AuctionCandidate => {
    const known = demand.find(id);
    const { bid, refusal, priceTerms } = priced.get(id) ?? { bid: micros(0), refusal: null, priceTerms: undefined };
    // One that could not have bid here was not outranked, though a better one kept it from being asked for its bid.
    const refused = outcome === 'outranked' ? getServingRefusal(known, opportunity) : refusal;
    const lost = outcome === 'match' || outcome === 'refused' ? 'lower_rank' : outcome;
    return {
      campaign: known.campaign,
      relevance,
      closeness,
      matched,
      bid,
      priceTerms,
      ...(refused ?? { outcome: lost }),
    };
  });
  const winner = chooseWinner(candidates, breakTie);
  const others = candidates.filter((candidate) => candidate !== winner);
  if (winner) winner.outcome = 'won';
  return { ...found, winner, candidates: winner ? [winner, ...others] : others };
}

/** The auction, explained by more campaigns: those that would have fitted and could not bid. */
export function addInactiveCandidates(auction: Auction, { candidates }: Pick<Auction, 'candidates'>): Auction {
  const known = new Set(auction.candidates.map(({ campaign }) => campaign.id));
  const more = candidates.filter((candidate) => !couldWin(candidate) && !known.has(candidate.campaign.id));
  const lost = auction.candidates.filter((candidate) => !couldWin(candidate));
  return {
    ...auction,
    candidates: [
      ...auction.candidates.filter(couldWin),
      ...[...lost, ...more].sort((a, b) => b.relevance - a.relevance),
    ],
  };
}

/** The auction with several winners, best first: campaigns that the publisher prefers come before all others. */
export function selectWinners(auction: Auction, places: number, isPreferred: (campaign: Biddable) => boolean): Auction {
  const bidding = auction.candidates.filter(couldWin);
  const preferred = new Set(bidding.filter(({ campaign }) => isPreferred(campaign)));
  const ranked = [...preferred, ...bidding.filter((candidate) => !preferred.has(candidate))].map(
    (candidate, index): AuctionCandidate => ({ ...candidate, outcome: index < places ? 'won' : 'lower_rank' }),
  );
  const others = auction.candidates.filter((candidate) => !couldWin(candidate));
  return { ...auction, winner: ranked[0], candidates: [...ranked, ...others] };
}

const couldWin = ({ outcome }: AuctionCandidate): boolean => outcome === 'won' || outcome === 'lower_rank';

const getRank = ({ bid, relevance }: AuctionCandidate): number => bid * relevance;

function chooseWinner(
  candidates: AuctionCandidate[],
  breakTie: (ids: string[]) => string,
): AuctionCandidate | undefined {
  const bidding = candidates.filter(({ outcome }) => outcome === 'lower_rank');
  const highest = Math.max(...bidding.map(getRank));
  const best = bidding.filter((candidate) => getRank(candidate) === highest);
  const closest = Math.max(...best.map(({ closeness }) => closeness));
  const equals = best.filter(({ closeness }) => closeness === closest);
  if (equals.length < 2) return equals[0];
  const id = breakTie(equals.map(({ campaign }) => campaign.id));
  return equals.find(({ campaign }) => campaign.id === id);
}

/** Why a campaign may not bid. */
type Refusal = Pick<AuctionCandidate, 'outcome' | 'field'>;

/** What a campaign would bid, and why it may not, if it may not. */
interface Offer {
  bid: Micros;
  refusal: Refusal | null;
  priceTerms: PriceTerms | undefined;
}

/** What the demand knows of a campaign. */
type CampaignWithStats = ReturnType<Demand['find']>;

/** What keeps a campaign from this auction whatever it would bid: what keeps it from every one now, or from this place. */
export function getServingRefusal({ campaign, stats }: CampaignWithStats, at: Opportunity): Refusal | null {
  const [first] = findServingReasons(campaign, stats, at.now);
  if (first) return { outcome: first.code, field: first.field };
  const { countries } = campaign;
  const isElsewhere = countries.length > 0 && !countries.includes(at.countryCode ?? '');
  const outcome = isElsewhere ? 'country' : at.excludes?.(campaign);
  return outcome ? { outcome } : null;
}

function toOffer(known: CampaignWithStats, relevance: number, at: Opportunity): Offer {
  const { campaign, stats } = known;
  const part = isPaced(campaign) ? getPace(campaign, stats, at.now) : 1;
  const bid = priceBid(campaign, stats, relevance, part);
  const refusal = getServingRefusal(known, at) ?? getBidRefusal(bid, part, at);
  return { bid, refusal, priceTerms: at.debug ? getPriceTerms(campaign, stats, relevance, part) : undefined };
}

/** Why a campaign that could bid here does not. */
function getBidRefusal(bid: Micros, part: number, at: Opportunity): Refusal | null {
  if (part < 1 && at.random() >= part) return { outcome: 'pacing' };
  // Strictly below the floor does not take part, and neither does what rounds down to nothing.
  return bid === 0 || bid < at.floor ? { outcome: 'below_floor' } : null;
}

/**
 * Why an auction without a winner had none: what kept the campaign that fits best from bidding; where none fits well enough, what the
 * conversation lacks. A judge that is against all that may bid is the reason whatever may not: it has not judged those, and how well they fit
 * is another measure.
 */
export function getNoBidReason({ noBid, candidates }: Pick<Auction, 'noBid' | 'candidates'>): NoBidReason {
  if (noBid === 'sensitive_context' || noBid === 'no_user_message' || noBid === 'catalog_stale' || noBid === 'judge')
    return noBid;
  const reasons = candidates.map(({ outcome }) => outcome).filter(isNoBidReason);
  const refusal = reasons.find((reason) => reason !== 'below_threshold');
  if (refusal) return refusal;
  if (noBid === 'no_commercial_context') return noBid;
  return candidates.length > 0 ? 'below_threshold' : 'no_match';
}

/** The step of a price: a thousandth of a US dollar, CPM. */
const PRICE_STEP = 1_000;

/**
 * What the winner pays under second price: just enough to stay ahead of the runner-up by bid x relevance, at least the floor, at most
 * its own bid. Whole steps make an impression cost whole micro-dollars.
 */
export function getSecondPrice(
  winner: AuctionCandidate,
  candidates: readonly AuctionCandidate[],
  floor: Micros,
): Micros {
  const others = candidates.filter(({ outcome }) => outcome === 'lower_rank');
  const runnerUp = Math.max(0, ...others.map(({ bid, relevance }) => (bid * relevance) / winner.relevance));
  const enough = Math.floor(runnerUp / PRICE_STEP) * PRICE_STEP + PRICE_STEP;
  return micros(Math.min(winner.bid, Math.max(enough, Math.ceil(floor / PRICE_STEP) * PRICE_STEP)));
}

/** Lets equals take turns: of those asked about, the one that won longest ago. Remembers only what it was asked about. */
export function createTieBreaker(most = 10_000): (ids: string[]) => string {
  const wins = new Map<string, number>(); // in order of the last win, oldest first
  let count = 0;
  return (ids) => {
    const winner = ids.reduce((a, b) => ((wins.get(b) ?? 0) < (wins.get(a) ?? 0) ? b : a));
    wins.delete(winner);
    remember(wins, winner, ++count, most);
    return winner;
  };
}
