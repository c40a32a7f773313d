import { RELEVANCE } from './weights.ts';

/** How a campaign fared: bids; not relevant enough; a word it excludes was said; the caller gave it no bid; no place for ads. */
export type Outcome = 'match' | 'below_threshold' | 'excluded_keyword' | 'refused' | 'sensitive_context';

export interface Scored {
  slot: number;
  relevance: number;
  bid: number;
  /** bid x relevance, what campaigns are ranked by. */
  score: number;
  outcome: Outcome;
}

/** The campaigns in the running: the best `limit` that bid, and some that lost, to say why. */
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

  lose(slot: number, relevance: number, outcome: Outcome): void {
    if (this.#lost.length < this.#limit) this.#lost.push({ slot, relevance, bid: 0, score: 0, outcome });
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
    for (const { slot, relevance } of this.#bidding)
      if (relevance < least) this.lose(slot, relevance, 'below_threshold');
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
    const lost = this.#lost.sort((a, b) => b.relevance - a.relevance || a.slot - b.slot);
    return [...this.#bidding, ...lost].slice(0, this.#limit);
  }
}
