import type { Desk } from './desk.ts';
import type { Market } from './market.ts';
import type { Reading } from './reading.ts';

/** Most places of a word that are looked at, newest first: bounds the work for a message of one repeated word. */
const PLACES = 8;
/** The same for excluded keywords, which count however long ago they were said. */
const PLACES_EXCLUDED = 1000;
/** Other words may stand among a keyword's own. */
const LOOSE = 2;
/** Further than any two words of a keyword stand apart. */
const NEAR = 6;
/** What a keyword of which only a part was said counts, at most. */
const PARTIAL = 0.4;

/** How a campaign's own keywords stand in a conversation. */
export interface Literal {
  /** 0 nothing, 1 when a telling keyword was said whole just now. */
  evidence: number;
  /** Largest share that a keyword said whole has in what its message says, 0..1. */
  cover: number;
  /** 1 when it was said in a message that asks for something. */
  asked: number;
}

export const UNSAID: Literal = { evidence: 0, cover: 0, asked: 0 };

/** Where a keyword was said: its words' tokens, and how much the one that counts least counts. */
interface Place {
  force: number;
  tokens: number[];
}

/** Where the words of the conversation stand that the market knows, for looking keywords up. */
export class Said {
  /** The market's words that were said. */
  readonly terms: number[] = [];
  /** By spot, the newest token at which its term stands, and the oldest that is kept. */
  readonly #newest: number[] = [];
  readonly #oldest: number[] = [];
  /** By spot, how many are kept. */
  readonly #kept: number[] = [];
  /** By token, the next older one of the same term, or -1. */
  readonly #older: Int32Array;
  /** The most that a word counts at any of its places. */
  readonly #forces: number[] = [];
  /** By token, its term's number in the market, or -1. */
  readonly #terms: Int32Array;
  /** By term number, 1 + its position in `terms`; 0 unsaid. */
  readonly #spots: Int32Array;
  readonly #market: Market;
  readonly #reading: Reading;

  constructor(market: Market, reading: Reading, desk: Desk) {
    this.#market = market;
    this.#reading = reading;
    this.#spots = market.spots();
    const { entries } = reading.tokens;
    this.#terms = desk.integers(entries.length).fill(-1);
    this.#older = desk.integers(entries.length).fill(-1);
    for (let token = entries.length - 1; token >= 0; token--) {
      const term = market.termOf(entries[token]!);
      if (term < 0) continue;
      this.#terms[token] = term;
      const spot = this.#spots[term]! - 1;
      if (spot < 0) this.#meet(term, token);
      else this.#meetAgain(spot, token);
    }
  }

  #meet(term: number, token: number): void {
    this.terms.push(term);
    this.#newest.push(token);
    this.#oldest.push(token);
    this.#kept.push(1);
    this.#forces.push(this.#reading.force[token]!);
    this.#spots[term] = this.terms.length;
  }

  #meetAgain(spot: number, token: number): void {
    this.#forces[spot] = Math.max(this.#forces[spot]!, this.#reading.force[token]!);
    if (this.#kept[spot]! >= PLACES_EXCLUDED) return;
    this.#kept[spot] = this.#kept[spot]! + 1;
    this.#older[this.#oldest[spot]!] = token;
    this.#oldest[spot] = token;
  }

  /** Gives the market its scratch back, clean. */
  close(): void {
    for (const term of this.terms) this.#spots[term] = 0;
  }

  /** The most that a keyword with this head word can come to. */
  most(term: number): Literal {
    const { at } = this.#reading.tokens;
    const { part } = this.#reading;
    const spot = this.#spots[term]! - 1;
    let best = 0;
    for (let token = this.#newest[spot]!, seen = 0; token >= 0 && seen < PLACES; token = this.#older[token]!, seen++) {
      let cover = part[token]!;
      for (let near = token - 1; near >= 0 && at[token]! - at[near]! < NEAR; near--) cover += part[near]!;
      for (let near = token + 1; near < part.length && at[near]! - at[token]! < NEAR; near++) cover += part[near]!;
      best = Math.max(best, cover);
    }
    return { evidence: this.#forces[spot]!, cover: best, asked: 1 };
  }

  /** Reads the keywords of a campaign's record; `found` gets the tokens of each keyword said whole. */
  keywords(at: number, found?: (tokens: number[]) => void): Literal {
    const { arena, rarities } = this.#market;
    const { part, asks, tokens } = this.#reading;
    let unsaid = 1;
    let partial = 0;
    let cover = 0;
    let asked = 0;
    let start = at;
    for (let keywords = arena[start++]!; keywords > 0; keywords--) {
      const length = arena[start]!;
      const first = start + 2;
      const head = first + arena[start + 1]!;
      start = first + length;
      const spot = this.#spots[arena[head]!]!;
      if (spot === 0) continue;
      let all = 0;
      let said = 0;
      let absent = 1;
      for (let term = first; term < start; term++) {
        const rarity = rarities[arena[term]!]!;
        all += rarity;
        if (this.#spots[arena[term]!]! > 0) said += rarity;
        absent *= 1 - (length > 1 ? 0.25 + 0.75 * rarity : rarity);
      }
      const whole = said === all ? this.#whole(first, length, head, PLACES) : undefined;
      if (whole) {
        unsaid *= 1 - whole.force * (1 - absent);
        cover = Math.max(
          cover,
          whole.tokens.reduce((sum, token) => sum + part[token]!, 0),
        );
        if (asks[tokens.message[whole.tokens[0]!]!]) asked = 1;
        found?.(whole.tokens);
      } else {
        partial = Math.max(partial, (said / all) * rarities[arena[head]!]! * this.#forces[spot - 1]!);
      }
    }
    return { evidence: Math.max(1 - unsaid, PARTIAL * partial), cover, asked };
  }

  /** Whether one of the excluded keywords of a campaign's record was said, by anyone, at any time. */
  excluded(at: number): boolean {
    const { arena } = this.#market;
    let start = at;
    for (let count = arena[start++]!; count > 0; count--) {
      const length = arena[start]!;
      if (this.#whole(start + 1, length, start + 1, PLACES_EXCLUDED)) return true;
      start += 1 + length;
    }
    return false;
  }

  /** The best of the newest `places` where all words of a keyword stand together, in any order. */
  #whole(start: number, length: number, head: number, places: number): Place | undefined {
    const { arena } = this.#market;
    const { force } = this.#reading;
    let best: Place | undefined;
    const spot = this.#spots[arena[head]!]! - 1;
    let center = spot < 0 ? -1 : this.#newest[spot]!;
    for (let seen = 0; center >= 0 && seen < places; center = this.#older[center]!, seen++) {
      const tokens: number[] = [];
      let least = 1;
      for (let term = start; term < start + length; term++) {
        const token = term === head ? center : this.#near(center, arena[term]!, length + LOOSE);
        if (token < 0) break;
        tokens.push(token);
        least = Math.min(least, force[token]!);
      }
      if (tokens.length === length && least > (best?.force ?? -1)) best = { force: least, tokens };
    }
    return best;
  }

  /** The token nearest to `center` at which a term stands, less than `reach` places off; -1 when there is none. */
  #near(center: number, term: number, reach: number): number {
    const { at } = this.#reading.tokens;
    for (let step = 1; step < reach; step++) {
      if (this.#terms[center + step] === term && at[center + step]! - at[center]! < reach) return center + step;
      if (this.#terms[center - step] === term && at[center]! - at[center - step]! < reach) return center - step;
    }
    return -1;
  }
}
