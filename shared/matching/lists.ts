import type { Cards } from './cards.ts';
import { Postings } from './postings.ts';

/** What the keywords that brought campaigns into a list can be worth at most: the bounds of a match rely on it. */
export interface Worth {
  /** Words of the longest of them. */
  length: number;
  /** Evidence of the most telling one when it is said whole, 0..1. */
  evidence: number;
  /** Keywords that the campaign has in all. */
  keywords: number;
}

/**
 * Lists of campaigns by number. A match asks of hundreds of lists what they can be worth and walks few of them: that is kept in
 * columns of its own. A list that becomes empty gives its memory back.
 */
export class Lists {
  #sizes = new Int32Array(64);
  #lengths = new Uint8Array(64);
  #evidence = new Float32Array(64);
  #keywords = new Int32Array(64);
  readonly #postings: (Postings | undefined)[] = [];

  /** Number of campaigns in a list. */
  size(list: number): number {
    return this.#sizes[list] ?? 0;
  }

  /** The campaigns of a list that is not empty. */
  postings(list: number): Postings {
    return this.#postings[list]!;
  }

  longest(list: number): number {
    return this.#lengths[list]!;
  }

  evidence(list: number): number {
    return this.#evidence[list]!;
  }

  keywords(list: number): number {
    return this.#keywords[list]!;
  }

  enter(list: number, slot: number, cards: Cards, { length, evidence, keywords }: Worth): void {
    if (list >= this.#sizes.length) this.#widen(2 * list);
    while (this.#postings.length <= list) this.#postings.push(undefined);
    this.#postings[list] ??= new Postings();
    this.#postings[list].insert(slot, cards);
    this.#sizes[list]!++;
    this.#lengths[list] = Math.max(this.#lengths[list]!, Math.min(255, length));
    this.#evidence[list] = Math.max(this.#evidence[list]!, evidence);
    this.#keywords[list] = Math.max(this.#keywords[list]!, keywords);
  }

  /** What the list can be worth stays as it is until nobody is left: too much is still a bound. */
  leave(list: number, slot: number, cards: Cards): void {
    this.#postings[list]!.remove(slot, cards);
    if (--this.#sizes[list]! > 0) return;
    this.#postings[list] = undefined;
    this.#lengths[list] = 0;
    this.#evidence[list] = 0;
    this.#keywords[list] = 0;
  }

  #widen(room: number): void {
    this.#sizes = grown(new Int32Array(room), this.#sizes);
    this.#lengths = grown(new Uint8Array(room), this.#lengths);
    this.#evidence = grown(new Float32Array(room), this.#evidence);
    this.#keywords = grown(new Int32Array(room), this.#keywords);
  }
}

function grown<A extends Int32Array | Uint8Array | Float32Array>(larger: A, smaller: A): A {
  larger.set(smaller);
  return larger;
}
