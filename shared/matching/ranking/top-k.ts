import { toRelativeThreshold } from './relevance.ts';
import { RELEVANCE_MODEL } from './relevance-model.ts';

/**
 * How a campaign fared: bids; not relevant enough; less relevant than one that bids; in another language than the conversation; a word
 * it excludes was said; the caller gave it no bid; no place for ads.
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
  /** bid x relevance, what campaigns are ranked by. */
  score: number;
  /** Decides between equal scores, see `closenessOf`. */
  closeness: number;
  outcome: MatchOutcome;
}

/** The best `limit` campaigns so far that bid, and of those that lost the most relevant, to say why. */
export class TopK {
  readonly #limit: number;
  #bidding: ScoredCampaign[] = [];
  #lost: ScoredCampaign[] = [];
  readonly #own: number | undefined;
  #threshold: number;

  /** @param own least relevance that may bid, whatever others have; unless told the model's, and near that of the most relevant */
  constructor(limit: number, own?: number) {
    this.#limit = limit;
    this.#own = own;
    this.#threshold = own ?? RELEVANCE_MODEL.threshold;
  }

  get isFull(): boolean {
    return this.#bidding.length + this.#lost.length >= this.#limit;
  }

  get hasBids(): boolean {
    return this.#bidding.length > 0;
  }

  /** Whether it keeps further ones that lose. */
  get hasRoomForLosers(): boolean {
    return this.#lost.length < this.#limit;
  }

  /** The score that a further campaign has to reach; 0 while there are fewer than `limit`. */
  get minScore(): number {
    return this.#bidding.length < this.#limit ? 0 : (this.#bidding.at(-1)?.score ?? 0);
  }

  /** Least relevance that may bid beside those found so far. */
  get threshold(): number {
    return this.#threshold;
  }

  /** Adds one that lost. Ones that fit badly make room for one that fits and was refused: it is what there is to say. */
  addLoser(slot: number, relevance: number, outcome: MatchOutcome): void {
    const lost = this.#lost;
    if (lost.length === this.#limit) {
      if (relevance <= (lost.at(-1)?.relevance ?? 0)) return;
      lost.pop();
    }
    const position = lost.findLastIndex((other) => !ranksAfter(other, slot, relevance)) + 1;
    lost.splice(position, 0, { slot, relevance, bid: 0, score: 0, closeness: 0, outcome });
  }

  /** Adds one in another language than the conversation's. */
  addOtherLanguage(slot: number, relevance: number): void {
    this.addLoser(slot, relevance, relevance < RELEVANCE_MODEL.threshold ? 'below_threshold' : 'language');
  }

  /** Adds one of less than `threshold` relevance. */
  addBelowThreshold(slot: number, relevance: number): void {
    this.addLoser(slot, relevance, relevance < RELEVANCE_MODEL.threshold ? 'below_threshold' : 'outranked');
  }

  /**
   * Adds a campaign of at least `threshold` relevance; false when its bid says that it may not take part. Money decides among ads that
   * fit about alike: those that fit clearly worse than the best drop out.
   */
  addBid(slot: number, relevance: number, bid: number, closeness: number): boolean {
    if (!(bid > 0)) {
      this.addLoser(slot, relevance, 'refused');
      return false;
    }
    this.#raiseThreshold(toRelativeThreshold(relevance));
    this.#insert({ slot, relevance, bid, score: bid * relevance, closeness, outcome: 'match' });
    return true;
  }

  #raiseThreshold(threshold: number): void {
    if (threshold <= this.#threshold || this.#own !== undefined) return;
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

  /** Those that bid, best first, of equals the closest, then in order of arrival; then those that do not, most relevant first. */
  candidates(): ScoredCampaign[] {
    return [...this.#bidding, ...this.#lost].slice(0, this.#limit);
  }
}

/**
 * How close of two equals is to the conversation: first whether it is known to be in its language, then whether a keyword of it was said
 * just now, then its likeness (0..1).
 */
export const toCloseness = (inLanguage: boolean, isLiteral: number, likeness: number): number =>
  (inLanguage ? 4 : 0) + 2 * isLiteral + likeness;

/** Whether one that lost stands behind another: by relevance, then by slot. */
const ranksAfter = (lost: ScoredCampaign, slot: number, relevance: number): boolean =>
  lost.relevance < relevance || (lost.relevance === relevance && lost.slot > slot);

/** Whether one that bids stands before another that came earlier. */
const ranksBefore = (one: ScoredCampaign, other: ScoredCampaign): boolean =>
  one.score > other.score || (one.score === other.score && one.closeness > other.closeness);
