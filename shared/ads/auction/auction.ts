import type { Biddable } from '../../campaigns/biddable.ts';
import { findServingReasons } from '../../campaigns/eligibility.ts';
import type { SpendStats } from '../../campaigns/spend-stats.ts';
import {
  type AdStrictness,
  type MatchCandidate,
  type MatchedTerm,
  type MatchOptions,
  type MatchResult,
  type Message,
  RELEVANCE_MODEL,
} from '../../matching/index.ts';
import { findLevel, type Thresholds } from '../../platform/values/ad-strictness.ts';
import { remember } from '../../platform/values/cache.ts';
import { type Micros, micros } from '../../platform/values/money.ts';
import { isNoBidReason, type NoBidReason, type Outcome } from '../../platform/values/outcomes.ts';
import { getPace, getPriceTerms, isPaced, type PriceTerms, priceBid } from './price.ts';

export interface AuctionCandidate {
  campaign: Biddable;
  relevance: number;
  /** The strictest level that its relevance reaches; null if it reaches none. */
  level: AdStrictness | null;
  /** Breaks ties: the closest candidate wins. */
  closeness: number;
  /** Terms that matched. Keywords are indexes into the keywords of this version of the campaign. */
  matched: MatchedTerm[];
  /** Path of the topic by which it fits the conversation, if there is one. */
  topic?: string;
  /** CPM in micro-dollars. */
  bid: Micros;
  /** How the bid was calculated; undefined if the campaign was not priced, or without debug. */
  priceTerms: PriceTerms | undefined;
  outcome: Outcome;
  /** The field that prevents the campaign from serving. */
  field?: string;
}

/** Result of matching. `catalog_stale`: the catalog is incomplete or too old. `judge`: the judge rejected every campaign that may bid. */
export interface DemandMatch extends Omit<MatchResult, 'noBid' | 'candidates'> {
  noBid: MatchResult['noBid'] | 'catalog_stale' | 'judge';
  candidates: DemandCandidate[];
}

/** A candidate of matching, or one that the judge rejected. */
export interface DemandCandidate extends Omit<MatchCandidate, 'outcome'> {
  outcome: MatchCandidate['outcome'] | 'judge';
}

/** The campaigns that compete in an auction. */
export interface Demand {
  match(messages: readonly Message[], options: MatchOptions): DemandMatch;
  find(id: string): { campaign: Biddable; stats: SpendStats };
  /** The thresholds of its relevance, if it is not the relevance of the model. */
  thresholds?: Thresholds;
}

export interface Opportunity {
  messages: readonly Message[];
  /** Upper case. If it is undefined, campaigns that target countries do not bid. */
  countryCode?: string;
  /** The publisher's floor, CPM in micro-dollars. */
  floor: Micros;
  /** How sure the publisher wants to be that an ad fits. */
  adStrictness: AdStrictness;
  now: number;
  /** Uniform in [0, 1). Decides whether a campaign that is ahead of its spending plan bids. */
  random(): number;
  /** Why this slot excludes the campaign, or null. */
  getExclusion?(campaign: Biddable): Outcome | null;
  /** Whether to explain every candidate instead of only the winner. */
  debug: boolean;
}

export interface Auction extends Pick<DemandMatch, 'noBid' | 'context'>, Pick<Opportunity, 'adStrictness'> {
  /** Minimum relevance of a bid at the publisher's strictness. */
  threshold: number;
  /** The strictest level at which the request would get an ad; null if it gets none at any level. */
  fillsAt: AdStrictness | null;
  winner: AuctionCandidate | undefined;
  /** Best bid x relevance first, with the winner ahead of ties. Candidates that could not bid are last. */
  candidates: AuctionCandidate[];
}

/**
 * Matches the conversation and picks the highest bid x relevance. Campaigns are priced one by one, best match first, so that large
 * demand is not priced in full. In a tie, the closest match wins (the conversation's language counts); `breakTie` decides the rest.
 */
export function holdAuction(demand: Demand, opportunity: Opportunity, breakTie: (ids: string[]) => string): Auction {
  const { adStrictness } = opportunity;
  const thresholds = demand.thresholds ?? RELEVANCE_MODEL.thresholds;
  const threshold = thresholds[adStrictness];
  const priced = new Map<string, Offer>();
  const result = demand.match(opportunity.messages, {
    debug: opportunity.debug,
    threshold,
    bid(id, relevance) {
      const offer = toOffer(demand.find(id), relevance, opportunity);
      priced.set(id, offer);
      return offer.refusal ? 0 : offer.bid;
    },
  });
  const candidates = result.candidates.map(
    ({ id, relevance, closeness, matched, topic, outcome }): AuctionCandidate => {
      const entry = demand.find(id);
      const { bid, refusal, priceTerms } = priced.get(id) ?? { bid: micros(0), refusal: null, priceTerms: undefined };
      // A campaign that may not serve here gets that reason instead of `outranked`, even if it was never priced.
      const refused = outcome === 'outranked' ? getServingRefusal(entry, opportunity) : refusal;
      const lossOutcome = outcome === 'match' || outcome === 'refused' ? 'lower_rank' : outcome;
      return {
        campaign: entry.campaign,
        relevance,
        level: findLevel(relevance, thresholds),
        closeness,
        matched,
        ...(topic && { topic }),
        bid,
        priceTerms,
        ...(refused ?? { outcome: lossOutcome }),
      };
    },
  );
  const winner = chooseWinner(candidates, breakTie);
  const others = candidates.filter((candidate) => candidate !== winner);
  if (winner) winner.outcome = 'won';
  const fillsAt = winner ? winner.level : findLevel(findBestHeldBack(result, demand, opportunity), thresholds);
  return {
    ...result,
    ...{ adStrictness, threshold, fillsAt, winner },
    candidates: winner ? [winner, ...others] : others,
  };
}

/** The highest relevance of a campaign that would bid if the threshold were lower; 0 without one. */
function findBestHeldBack({ candidates }: DemandMatch, demand: Demand, opportunity: Opportunity): number {
  const wouldBid = ({ id, relevance }: DemandCandidate) => !toOffer(demand.find(id), relevance, opportunity).refusal;
  const heldBack = candidates.filter(({ isHeldBack }) => isHeldBack).sort((a, b) => b.relevance - a.relevance);
  return heldBack.find(wouldBid)?.relevance ?? 0;
}

/** Adds campaigns that matched but could not bid, for the explanation of an auction. */
export function addInactiveCandidates(auction: Auction, { candidates }: Pick<Auction, 'candidates'>): Auction {
  const ids = new Set(auction.candidates.map(({ campaign }) => campaign.id));
  const added = candidates.filter((candidate) => !couldWin(candidate) && !ids.has(candidate.campaign.id));
  const lost = auction.candidates.filter((candidate) => !couldWin(candidate));
  return {
    ...auction,
    candidates: [
      ...auction.candidates.filter(couldWin),
      ...[...lost, ...added].sort((a, b) => b.relevance - a.relevance),
    ],
  };
}

/** Returns the auction with up to `places` winners. Campaigns that the publisher prefers rank first. */
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

/** A campaign's bid, or why it may not bid. */
interface Offer {
  bid: Micros;
  refusal: Refusal | null;
  priceTerms: PriceTerms | undefined;
}

type CampaignWithStats = ReturnType<Demand['find']>;

/** Why a campaign may not bid here at any price: it is not serving, or this slot excludes it. Null if it may. */
export function getServingRefusal({ campaign, stats }: CampaignWithStats, at: Opportunity): Refusal | null {
  const [first] = findServingReasons(campaign, stats, at.now);
  if (first) return { outcome: first.code, field: first.field };
  const { countries } = campaign;
  const isElsewhere = countries.length > 0 && !countries.includes(at.countryCode ?? '');
  const outcome = isElsewhere ? 'country' : at.getExclusion?.(campaign);
  return outcome ? { outcome } : null;
}

function toOffer(entry: CampaignWithStats, relevance: number, at: Opportunity): Offer {
  const { campaign, stats } = entry;
  const part = isPaced(campaign) ? getPace(campaign, stats, at.now) : 1;
  const bid = priceBid(campaign, stats, relevance, part);
  const refusal = getServingRefusal(entry, at) ?? getBidRefusal(bid, part, at);
  return { bid, refusal, priceTerms: at.debug ? getPriceTerms(campaign, stats, relevance, part) : undefined };
}

/** Why the price or the pacing of a campaign prevents its bid, or null. */
function getBidRefusal(bid: Micros, part: number, at: Opportunity): Refusal | null {
  if (part < 1 && at.random() >= part) return { outcome: 'pacing' };
  // A bid at the floor takes part. A bid that rounds down to 0 does not, even without a floor.
  return bid === 0 || bid < at.floor ? { outcome: 'below_floor' } : null;
}

/**
 * Why an auction has no winner: the reason of the best match that could not bid, or else of the match itself. If the judge rejected every
 * campaign that may bid, the reason is `judge`: the relevance of other campaigns comes from matching and is not comparable with the judge's.
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

/** Price step: USD 0.001 CPM. With whole steps, an impression costs whole micro-dollars. */
const PRICE_STEP = 1_000;

/**
 * The second price, CPM in micro-dollars: one step above the bid at which the winner would tie with the runner-up (bid x relevance), at
 * least the floor, at most the winner's bid.
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

/** Creates a tie breaker that alternates: the campaign with the oldest last win wins. Remembers at most `maxEntries` campaigns. */
export function createTieBreaker(maxEntries = 10_000): (ids: string[]) => string {
  const wins = new Map<string, number>(); // in order of the last win, oldest first
  let count = 0;
  return (ids) => {
    const winner = ids.reduce((a, b) => ((wins.get(b) ?? 0) < (wins.get(a) ?? 0) ? b : a));
    wins.delete(winner);
    remember(wins, winner, ++count, maxEntries);
    return winner;
  };
}
