import type { Lexicon } from './lexicon.ts';
import { rarity } from './rarity.ts';
import type { Entry } from './wordbook.ts';

/** The words that campaigns' keywords are made of, by number. */
export class Terms {
  /** By term: 0.03 for the most common words, 1 for a rare one. */
  rarities = new Float32Array(64);
  readonly #lexicon: Lexicon;
  readonly #numbers = new Map<string, number>();
  #spots = new Int32Array(64);

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  /**
   * The number of a word's term, -1 when no campaign has the word. The entry keeps it: terms come and never go, so that it must be
   * looked up again only where none was found and there are more now.
   */
  find(entry: Entry): number {
    if (entry.term < 0 && entry.asOf !== this.#numbers.size) {
      entry.term = this.#numbers.get(entry.stem) ?? -1;
      entry.asOf = this.#numbers.size;
    }
    return entry.term;
  }

  /** The number of a keyword's stem, from now on if it is new. */
  add(stem: string): number {
    const known = this.#numbers.get(stem);
    if (known !== undefined) return known;
    const term = this.#numbers.size;
    this.#numbers.set(stem, term);
    if (term === this.rarities.length) {
      const wider = new Float32Array(2 * term);
      wider.set(this.rarities);
      this.rarities = wider;
    }
    this.rarities[term] = rarity(stem, this.#lexicon.bands);
    return term;
  }

  /** One zero for every term: scratch for a match, which leaves it as it was. */
  spots(): Int32Array {
    if (this.#spots.length < this.#numbers.size) this.#spots = new Int32Array(2 * this.#numbers.size);
    return this.#spots;
  }
}
