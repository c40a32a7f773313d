/** Steps that any match may take beside those for its text, and steps for each word of the text. */
const STEPS = 1_000_000;
const PER_WORD = 100;
/** Share of all steps that one campaign may take: nobody's list of keywords keeps those of others from being looked up. */
const SHARE = 1 / 50;

/**
 * How many steps a match takes in looking for keywords, at most: an advertiser may have hundreds of keywords of fifty words, and
 * a stranger may say all those words a thousand times. People's keywords take a few hundred.
 */
export class Patience {
  readonly #share: number;
  #left: number;
  /** What is left when the campaign at hand has had its share. */
  #end = 0;

  constructor(words: number) {
    this.#left = STEPS + PER_WORD * words;
    this.#share = this.#left * SHARE;
  }

  get spent(): boolean {
    return this.#left <= this.#end;
  }

  /** The next campaign's turn. */
  renew(): void {
    this.#end = Math.max(0, this.#left - this.#share);
  }

  spend(steps: number): void {
    this.#left -= steps;
  }
}
