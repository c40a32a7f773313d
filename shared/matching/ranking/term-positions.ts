import type { Terms } from '../inventory/term-dictionary.ts';
import { Scratch } from '../reading/array-pool.ts';
import type { Reading } from '../reading/reading.ts';

/** Most places of a word that are looked at, newest first: bounds the work for a message of one repeated word. */
export const PLACES = 8;
/** Other words may stand among a keyword's own. */
export const LOOSE = 2;

/** Where the words of a conversation stand that the market knows, for looking keywords up. */
export class Said {
  /** How many words of the market were said. */
  count = 0;
  /** By word said, its term in the market; the newest first. */
  readonly terms: Int32Array;
  /** By word said, the newest token at which it stands. */
  readonly newest: Int32Array;
  /** By token, the next older one of the same word, or -1. */
  readonly older: Int32Array;
  /** By word said, the most that it counts at any of its places. */
  readonly forces: Float32Array;
  /** By word said, at how many tokens it stands. */
  readonly times: Int32Array;
  /** By term, 1 + its position among the words said; 0 unsaid. */
  readonly spots: Int32Array;
  /** By word said, the oldest token at which it stands. */
  readonly #oldest: Int32Array;
  /** By token, its term in the market, or -1. */
  readonly #terms: Int32Array;
  readonly #reading: Reading;

  constructor(terms: Terms, reading: Reading, scratch = new Scratch()) {
    const { entries } = reading.tokens;
    this.#reading = reading;
    this.spots = terms.spots();
    this.terms = scratch.integers(entries.length);
    this.newest = scratch.integers(entries.length);
    this.forces = scratch.floats(entries.length);
    this.older = scratch.integers(entries.length).fill(-1);
    this.#oldest = scratch.integers(entries.length);
    this.times = scratch.integers(entries.length);
    this.#terms = scratch.integers(entries.length).fill(-1);
    for (let token = entries.length - 1; token >= 0; token--) {
      const term = terms.find(entries[token]!);
      if (term < 0) continue;
      this.#terms[token] = term;
      const spot = this.spots[term]!;
      if (spot === 0) this.#meet(term, token);
      else this.#meetAgain(spot - 1, token);
    }
  }

  #meet(term: number, token: number): void {
    const word = this.count++;
    this.terms[word] = term;
    this.newest[word] = token;
    this.forces[word] = this.#reading.force[token]!;
    this.#oldest[word] = token;
    this.times[word] = 1;
    this.spots[term] = this.count;
  }

  #meetAgain(word: number, token: number): void {
    this.forces[word] = Math.max(this.forces[word]!, this.#reading.force[token]!);
    this.times[word]!++;
    this.older[this.#oldest[word]!] = token;
    this.#oldest[word] = token;
  }

  /** Gives the market its scratch back, clean. */
  close(): void {
    for (let word = 0; word < this.count; word++) this.spots[this.terms[word]!] = 0;
  }

  /** The largest share of its message that a keyword of at most `length` words can have that has a word said in it. */
  mostCover(word: number, length: number): number {
    const { part, byUser, tokens } = this.#reading;
    const { at } = tokens;
    const reach = length === 1 ? 1 : length + LOOSE;
    let best = 0;
    for (let token = this.newest[word]!, seen = 0; token >= 0 && seen < PLACES; token = this.older[token]!, seen++) {
      // Nothing that the assistant says has a share.
      if (!byUser[token]) continue;
      let cover = part[token]!;
      for (let near = token - 1; near >= 0 && at[token]! - at[near]! < reach; near--) cover += part[near]!;
      for (let near = token + 1; near < part.length && at[near]! - at[token]! < reach; near++) cover += part[near]!;
      best = Math.max(best, cover);
    }
    return Math.min(1, best);
  }

  /** The token nearest to `center` at which a term stands, less than `reach` places off; -1 when there is none. */
  near(center: number, term: number, reach: number): number {
    const { at } = this.#reading.tokens;
    for (let step = 1; step < reach; step++) {
      if (this.#terms[center + step] === term && at[center + step]! - at[center]! < reach) return center + step;
      if (this.#terms[center - step] === term && at[center]! - at[center - step]! < reach) return center - step;
    }
    return -1;
  }
}
