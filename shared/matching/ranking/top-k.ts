import { RELEVANCE } from '../reading/weights.ts';

/**
 * How a campaign fared: bids; not relevant enough; less relevant than one that bids; a word it excludes was said; the caller gave it
 * no bid; no place for ads.
 */
export type Outcome = 'match' | 'below_threshold' | 'outranked' | 'excluded_keyword' | 'refused' | 'sensitive_context';

export interface Scored {
  slot: number;
  relevance: number;
  bid: number;
  /** bid x relevance, what campaigns are ranked by. */
  score: number;
  outcome: Outcome;
}

/** The campaigns in the running: the best `limit` that bid, and of those that lost the most relevant, to say why. */
export class Field {
  readonly #limit: number;
  #bidding: Scored[] = [];
  #lost: Scored[] = [];
  #least = RELEVANCE.threshold;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get full(): boolean {
    return this.#bidding.length + this.#lost.length >= this.#limit;
  }

  /** Whether anybody bids. */
  get bids(): boolean {
    return this.#bidding.length > 0;
  }

  /** Whether it keeps further ones that lose. */
  get explains(): boolean {
    return this.#lost.length < this.#limit;
  }

  /** The score that a further campaign has to reach; 0 while there is room. */
  get bar(): number {
    return this.#bidding.length < this.#limit ? 0 : this.#bidding.at(-1)!.score;
  }

  /** Least relevance that may bid beside those in the field. */
  get least(): number {
    return this.#least;
  }

  /** Notes one that lost. Ones that fit badly make room for one that fits and was refused: it is what there is to say. */
  lose(slot: number, relevance: number, outcome: Outcome): void {
    const lost = this.#lost;
    if (lost.length === this.#limit) {
      if (relevance <= lost.at(-1)!.relevance) return;
      lost.pop();
    }
    let position = lost.length;
    while (position > 0 && isAfter(lost[position - 1]!, slot, relevance)) position--;
    lost.splice(position, 0, { slot, relevance, bid: 0, score: 0, outcome });
  }

  /** Notes one of less than `least` relevance. */
  standBack(slot: number, relevance: number): void {
    this.lose(slot, relevance, relevance < RELEVANCE.threshold ? 'below_threshold' : 'outranked');
  }

  /**
   * Enters a campaign of at least `least` relevance; false when its bid says that it may not take part. Money decides among
   * ads that fit about alike: those that fit clearly worse than the best stand back.
   */
  bid(slot: number, relevance: number, bid: number): boolean {
    if (!(bid > 0)) {
      this.lose(slot, relevance, 'refused');
      return false;
    }
    this.#raise(RELEVANCE.beside * relevance);
    this.#insert({ slot, relevance, bid, score: bid * relevance, outcome: 'match' });
    return true;
  }

  #raise(least: number): void {
    if (least <= this.#least) return;
    this.#least = least;
    for (const { slot, relevance } of this.#bidding) if (relevance < least) this.standBack(slot, relevance);
    this.#bidding = this.#bidding.filter(({ relevance }) => relevance >= least);
  }

  #insert(entry: Scored): void {
    let position = this.#bidding.length;
    while (position > 0 && this.#bidding[position - 1]!.score < entry.score) position--;
    if (position >= this.#limit) return;
    this.#bidding.splice(position, 0, entry);
    if (this.#bidding.length > this.#limit) this.#bidding.pop();
  }

  /** Those that bid, best first, ties in order of arrival; then those that do not, most relevant first. */
  candidates(): Scored[] {
    return [...this.#bidding, ...this.#lost].slice(0, this.#limit);
  }
}

/** Whether one that lost stands behind another: by relevance, then by slot. */
const isAfter = (lost: Scored, slot: number, relevance: number): boolean =>
  lost.relevance < relevance || (lost.relevance === relevance && lost.slot > slot);
