import { type Market, telling } from '../inventory/demand.ts';
import type { Reading } from '../reading/reading.ts';
import { Patience } from './step-limit.ts';
import { LOOSE, PLACES, type Said } from './term-positions.ts';

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

/** Looks campaigns' keywords up in a conversation. */
export class Keywords {
  readonly #market: Market;
  readonly #reading: Reading;
  readonly #said: Said;
  readonly #patience: Patience;
  /** What was read last: one for all campaigns of a match, which reads a hundred. */
  readonly #literal: Literal = { evidence: 0, cover: 0, asked: 0 };

  constructor(market: Market, reading: Reading, said: Said) {
    this.#market = market;
    this.#reading = reading;
    this.#said = said;
    this.#patience = new Patience(reading.force.length);
  }

  /**
   * Reads the keywords of a campaign's record; `found` gets the tokens of each keyword said whole. What it returns is good until
   * the next is read.
   */
  read(at: number, found?: (tokens: number[]) => void): Literal {
    const { arena, terms } = this.#market;
    const { rarities } = terms;
    const { spots, forces } = this.#said;
    const { part, asks, tokens } = this.#reading;
    this.#patience.renew();
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
      const spot = spots[arena[head]!]!;
      if (spot === 0) continue;
      let all = 0;
      let said = 0;
      for (let term = first; term < start; term++) {
        const rarity = rarities[arena[term]!]!;
        all += rarity;
        if (spots[arena[term]!]! > 0) said += rarity;
      }
      const center = said === all ? this.#whole(first, length, head) : -1;
      if (center < 0) {
        partial = Math.max(partial, (said / all) * rarities[arena[head]!]! * forces[spot - 1]!);
        continue;
      }
      const whole = this.#tokens(center, first, length, head);
      unsaid *= 1 - this.#force(center, first, length, head) * telling(arena, first, length, rarities);
      let share = 0;
      for (let i = 0; i < length; i++) share += part[whole[i]!]!;
      cover = Math.max(cover, share);
      if (asks[tokens.message[whole[0]!]!]) asked = 1;
      found?.(whole);
    }
    this.#literal.evidence = Math.max(1 - unsaid, PARTIAL * partial);
    this.#literal.cover = cover;
    this.#literal.asked = asked;
    return this.#literal;
  }

  /** Whether one of the excluded keywords of a campaign's record was said, by anyone, at any time. */
  excluded(at: number): boolean {
    const { arena } = this.#market;
    this.#patience.renew();
    let start = at;
    for (let count = arena[start++]!; count > 0; count--) {
      const length = arena[start]!;
      if (this.#saidAnywhere(start + 1, length)) return true;
      start += 1 + length;
    }
    return false;
  }

  /**
   * Whether all words of a keyword stand together somewhere: looked for around the one said least often. Where that would take too
   * long, it is enough that all were said: an advertiser who excludes something would rather miss an ad than have it shown.
   */
  #saidAnywhere(first: number, length: number): boolean {
    const { arena } = this.#market;
    const { spots, times, newest, older } = this.#said;
    let rarest = first;
    let fewest = Number.POSITIVE_INFINITY;
    for (let term = first; term < first + length; term++) {
      const spot = spots[arena[term]!]!;
      if (spot === 0) return false;
      if (times[spot - 1]! >= fewest) continue;
      fewest = times[spot - 1]!;
      rarest = term;
    }
    for (let center = newest[spots[arena[rarest]!]! - 1]!; center >= 0; center = older[center]!) {
      if (this.#patience.spent) return true;
      if (this.#force(center, first, length, rarest) >= 0) return true;
    }
    return false;
  }

  /**
   * The token of a keyword's head at the best of its newest places where all its words stand together, in any order; -1 when they do
   * nowhere.
   */
  #whole(first: number, length: number, head: number): number {
    const { arena } = this.#market;
    const { spots, newest, older } = this.#said;
    let best = -1;
    let most = -1;
    let center = newest[spots[arena[head]!]! - 1]!;
    for (let seen = 0; center >= 0 && seen < PLACES && !this.#patience.spent; center = older[center]!, seen++) {
      const force = this.#force(center, first, length, head);
      if (force <= most) continue;
      most = force;
      best = center;
    }
    return best;
  }

  /** How much the word of a keyword around `center` counts that counts least; -1 when one of them is not there. */
  #force(center: number, first: number, length: number, head: number): number {
    const { force } = this.#reading;
    let least = force[center]!;
    this.#patience.spend(1);
    for (let term = first; term < first + length; term++) {
      if (term === head) continue;
      const token = this.#near(center, term, length);
      this.#patience.spend(token < 0 ? length : Math.abs(token - center));
      if (token < 0) return -1;
      least = Math.min(least, force[token]!);
    }
    return least;
  }

  /** The tokens of a keyword's words around `center`, where all of them are. */
  #tokens(center: number, first: number, length: number, head: number): number[] {
    const tokens: number[] = [];
    for (let term = first; term < first + length; term++)
      tokens.push(term === head ? center : this.#near(center, term, length));
    return tokens;
  }

  #near(center: number, term: number, length: number): number {
    return this.#said.near(center, this.#market.arena[term]!, length + LOOSE);
  }
}
