import type { Lexicon } from '../lexicon/lexicon.ts';
import { rarity } from '../lexicon/rarity.ts';
import type { Entry } from '../lexicon/word-cache.ts';
import { fingerprint } from '../text/fingerprint.ts';
import { grown, roomFor } from './capacity.ts';

/** Of a term that no word has. */
const NOBODY = -1;

/**
 * The words that campaigns' keywords are made of, by number; the number of a word that no campaign has any more is given again. Words
 * are known by their fingerprints, in columns: a stranger can make up millions, and each costs some 40 bytes, not 400.
 */
export class Terms {
  /** By term: 0.03 for the most common words, 1 for a rare one. */
  rarities = new Float32Array(64);
  readonly #lexicon: Lexicon;
  /** By term, its word's fingerprint, and how many times campaigns have it. */
  #prints = new Float64Array(64);
  #uses = new Int32Array(64);
  #spots = new Int32Array(64);
  /** How many numbers were given, and those of them that are free again. */
  #given = 0;
  readonly #free: number[] = [];
  /** 1 + a term where its fingerprint points, or at the next place that was empty; 0 where nothing is. */
  #table = new Int32Array(128);
  /** How many words have come and gone. */
  #changes = 0;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  /** The number of a word's term, -1 when no campaign has the word. The entry keeps it until words come or go. */
  find(entry: Entry): number {
    if (entry.asOf === this.#changes) return entry.term;
    entry.asOf = this.#changes;
    if (entry.term < 0 || this.#prints[entry.term] !== entry.print)
      entry.term = this.#table[this.#place(entry.print)]! - 1;
    return entry.term;
  }

  /** The number of a keyword's stem, good until it has been released as many times as it was added. */
  add(stem: string): number {
    const print = fingerprint(stem);
    const known = this.#table[this.#place(print)]! - 1;
    if (known >= 0) {
      this.#uses[known]!++;
      return known;
    }
    const term = this.#free.pop() ?? this.#given++;
    this.#changes++;
    if (term === this.rarities.length) this.#widen(roomFor(term));
    this.#prints[term] = print;
    this.#uses[term] = 1;
    this.rarities[term] = rarity(stem, this.#lexicon.bands);
    this.#table[this.#place(print)] = 1 + term;
    return term;
  }

  release(term: number): void {
    if (--this.#uses[term]! > 0) return;
    this.#changes++;
    this.#empty(this.#place(this.#prints[term]!));
    this.#prints[term] = NOBODY;
    this.#free.push(term);
  }

  /** One zero for every term: scratch for a match, which leaves it as it was. */
  spots(): Int32Array {
    if (this.#spots.length < this.rarities.length) this.#spots = new Int32Array(this.rarities.length);
    return this.#spots;
  }

  #home(print: number): number {
    return (print >>> 0) % this.#table.length;
  }

  #next(place: number): number {
    return place + 1 === this.#table.length ? 0 : place + 1;
  }

  /** Where a fingerprint's term stands in the table, or would. */
  #place(print: number): number {
    let place = this.#home(print);
    for (let term = this.#table[place]!; term > 0 && this.#prints[term - 1] !== print; term = this.#table[place]!)
      place = this.#next(place);
    return place;
  }

  /** Empties a place; those after it that had to give way move up, so that each is found from where it points. */
  #empty(place: number): void {
    const table = this.#table;
    const distance = (from: number, to: number) => (to - from + table.length) % table.length;
    let hole = place;
    for (let at = this.#next(hole); table[at]! > 0; at = this.#next(at)) {
      const home = this.#home(this.#prints[table[at]! - 1]!);
      if (distance(home, at) < distance(hole, at)) continue;
      table[hole] = table[at]!;
      hole = at;
    }
    table[hole] = 0;
  }

  #widen(room: number): void {
    this.rarities = grown(new Float32Array(room), this.rarities);
    this.#prints = grown(new Float64Array(room), this.#prints);
    this.#uses = grown(new Int32Array(room), this.#uses);
    this.#table = new Int32Array(room + (room >> 1));
    for (let term = 0; term < this.#given; term++)
      if (this.#uses[term]! > 0) this.#table[this.#place(this.#prints[term]!)] = 1 + term;
  }
}
