import type { Market } from './market.ts';
import type { Reading } from './reading.ts';
import { PLACES, PLACES_EXCLUDED, type Said } from './said.ts';

/** Other words may stand among a keyword's own. */
const LOOSE = 2;
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

/** Looks campaigns' keywords up in a conversation. */
export class Keywords {
  readonly #market: Market;
  readonly #reading: Reading;
  readonly #said: Said;

  constructor(market: Market, reading: Reading, said: Said) {
    this.#market = market;
    this.#reading = reading;
    this.#said = said;
  }

  /** Reads the keywords of a campaign's record; `found` gets the tokens of each keyword said whole. */
  read(at: number, found?: (tokens: number[]) => void): Literal {
    const { arena, terms } = this.#market;
    const { rarities } = terms;
    const { spots, forces } = this.#said;
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
      const spot = spots[arena[head]!]!;
      if (spot === 0) continue;
      let all = 0;
      let said = 0;
      let absent = 1;
      for (let term = first; term < start; term++) {
        const rarity = rarities[arena[term]!]!;
        all += rarity;
        if (spots[arena[term]!]! > 0) said += rarity;
        absent *= 1 - (length > 1 ? 0.25 + 0.75 * rarity : rarity);
      }
      const whole = said === all ? this.#whole(first, length, head, PLACES) : undefined;
      if (whole) {
        unsaid *= 1 - whole.force * (1 - absent);
        let share = 0;
        for (const token of whole.tokens) share += part[token]!;
        cover = Math.max(cover, share);
        if (asks[tokens.message[whole.tokens[0]!]!]) asked = 1;
        found?.(whole.tokens);
      } else {
        partial = Math.max(partial, (said / all) * rarities[arena[head]!]! * forces[spot - 1]!);
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
    const { spots, newest, older } = this.#said;
    let best: Place | undefined;
    const spot = spots[arena[head]!]! - 1;
    let center = spot < 0 ? -1 : newest[spot]!;
    for (let seen = 0; center >= 0 && seen < places; center = older[center]!, seen++) {
      const tokens: number[] = [];
      let least = 1;
      for (let term = start; term < start + length; term++) {
        const token = term === head ? center : this.#said.near(center, arena[term]!, length + LOOSE);
        if (token < 0) break;
        tokens.push(token);
        least = Math.min(least, force[token]!);
      }
      if (tokens.length === length && least > (best?.force ?? -1)) best = { force: least, tokens };
    }
    return best;
  }
}
