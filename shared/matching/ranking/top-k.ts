/**
 * The outcome of a campaign: it bids; not relevant enough; less relevant than one that bids; in another language than
 * the conversation; an excluded keyword was said; the caller gave no bid; sensitive conversation.
 */
export type MatchOutcome =
  | 'match'
  | 'below_threshold'
  | 'outranked'
  | 'language'
  | 'excluded_keyword'
  | 'refused'
  | 'sensitive_context';

export interface ScoredCampaign {
  slot: number;
  relevance: number;
  bid: number;
  /** bid x relevance, by which campaigns are ranked. */
  score: number;
  /** Breaks ties between equal scores, see `toCloseness`. */
  closeness: number;
  outcome: MatchOutcome;
}

export interface TopKLimits {
  /** Maximum number of campaigns. */
  limit: number;
  /** Minimum relevance of a bid. */
  threshold: number;
  /** Minimum relevance of a bid as a share of the most relevant bid's. */
  relativeThreshold: number;
}

/** The `limit` best bidding campaigns so far, and the most relevant losers to explain the result. */
export class TopK {
  readonly #limit: number;
  #bidding: ScoredCampaign[] = [];
  #losers: ScoredCampaign[] = [];
  readonly #minimum: number;
  readonly #relativeThreshold: number;
  #threshold: number;

  constructor({ limit, threshold, relativeThreshold }: TopKLimits) {
    this.#limit = limit;
    this.#minimum = threshold;
    this.#relativeThreshold = relativeThreshold;
    this.#threshold = threshold;
  }

  get isFull(): boolean {
    return this.#bidding.length + this.#losers.length >= this.#limit;
  }

  get hasBids(): boolean {
    return this.#bidding.length > 0;
  }

  /** Whether it has room for another loser. */
  get hasRoomForLosers(): boolean {
    return this.#losers.length < this.#limit;
  }

  /** The score that another campaign must exceed; 0 while fewer than `limit` bid. */
  get minScore(): number {
    return this.#bidding.length < this.#limit ? 0 : (this.#bidding.at(-1)?.score ?? 0);
  }

  /** Minimum relevance of a bid, given those found so far. */
  get threshold(): number {
    return this.#threshold;
  }

  /** Adds a loser. A refused campaign that fits replaces one that fits badly, because it explains more. */
  addLoser(slot: number, relevance: number, outcome: MatchOutcome): void {
    const losers = this.#losers;
    if (losers.length === this.#limit) {
      if (relevance <= (losers.at(-1)?.relevance ?? 0)) return;
      losers.pop();
    }
    const position = losers.findLastIndex((other) => !ranksAfter(other, slot, relevance)) + 1;
    losers.splice(position, 0, { slot, relevance, bid: 0, score: 0, closeness: 0, outcome });
  }

  /** The highest relevance of a campaign that bids, or that only lacks relevance. */
  get bestRelevance(): number {
    const irrelevant = this.#losers.filter(isIrrelevant);
    return Math.max(0, ...[...this.#bidding, ...irrelevant].map(({ relevance }) => relevance));
  }

  /** Removes a campaign, so that it can be added at a higher relevance; false if it has one, or lost for another reason. */
  take(slot: number, relevance: number): boolean {
    const lost = this.#losers.find((loser) => loser.slot === slot);
    if (lost && !isIrrelevant(lost)) return false;
    const known = lost ?? this.#bidding.find((bidder) => bidder.slot === slot);
    if (known && known.relevance >= relevance) return false;
    this.#losers = this.#losers.filter((loser) => loser !== lost);
    this.#bidding = this.#bidding.filter((bidder) => bidder.slot !== slot);
    return true;
  }

  /** Adds a campaign whose language differs from the conversation's. */
  addOtherLanguage(slot: number, relevance: number): void {
    this.addLoser(slot, relevance, relevance < this.#minimum ? 'below_threshold' : 'language');
  }

  /** Adds a campaign below `threshold`. */
  addBelowThreshold(slot: number, relevance: number): void {
    this.addLoser(slot, relevance, relevance < this.#minimum ? 'below_threshold' : 'outranked');
  }

  /**
   * Adds a campaign of at least `threshold` relevance; false if its bid is not positive. Price decides only among ads
   * that fit about equally: those that fit clearly worse than the best drop out.
   */
  addBid(slot: number, relevance: number, bid: number, closeness: number): boolean {
    if (!(bid > 0)) {
      this.addLoser(slot, relevance, 'refused');
      return false;
    }
    this.#raiseThreshold(this.#relativeThreshold * relevance);
    this.#insert({ slot, relevance, bid, score: bid * relevance, closeness, outcome: 'match' });
    return true;
  }

  #raiseThreshold(threshold: number): void {
    if (threshold <= this.#threshold) return;
    this.#threshold = threshold;
    for (const { slot, relevance } of this.#bidding) if (relevance < threshold) this.addBelowThreshold(slot, relevance);
    this.#bidding = this.#bidding.filter(({ relevance }) => relevance >= threshold);
  }

  #insert(campaign: ScoredCampaign): void {
    const position = this.#bidding.findLastIndex((other) => !ranksBefore(campaign, other)) + 1;
    if (position >= this.#limit) return;
    this.#bidding.splice(position, 0, campaign);
    if (this.#bidding.length > this.#limit) this.#bidding.pop();
  }

  /**
   * The bidding campaigns, best first, ties by closeness, then by arrival; then the losers, the most relevant first.
   */
  candidates(): ScoredCampaign[] {
    return [...this.#bidding, ...this.#losers].slice(0, this.#limit);
  }
}

/**
 * How close a campaign is to the conversation: first whether it is surely in the same language, then whether one of its
 * keywords was just said, then its likeness (0 to 1).
 */
export const toCloseness = (inLanguage: boolean, isLiteral: number, likeness: number): number =>
  (inLanguage ? 4 : 0) + 2 * isLiteral + likeness;

const isIrrelevant = ({ outcome }: ScoredCampaign): boolean => outcome === 'below_threshold' || outcome === 'outranked';

/** Whether a loser ranks after another: by relevance, then by slot. */
const ranksAfter = (losers: ScoredCampaign, slot: number, relevance: number): boolean =>
  losers.relevance < relevance || (losers.relevance === relevance && losers.slot > slot);

/** Whether a bid ranks before an earlier one. */
const ranksBefore = (one: ScoredCampaign, other: ScoredCampaign): boolean =>
  one.score > other.score || (one.score === other.score && one.closeness > other.closeness);
