import type { Lexicon } from './lexicon.ts';
import { rarity } from './rarity.ts';
import type { Entry } from './wordbook.ts';

/** The words that campaigns' keywords are made of, by number. */
export class Terms {
  /** By term: 0.03 for the most common words, 1 for a rare one. */
  rarities = new Float32Array(64);
  readonly #lexicon: Lexicon;
  readonly #numbers = new Map<string, number>();
  /** By number in the lexicon's vocabulary, 1 + the term's number; 0 where no campaign has the word. */
  readonly #byWord: Int32Array;
  #spots = new Int32Array(64);

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
    this.#byWord = new Int32Array(lexicon.vocabulary.size);
  }

  /** The number of a word's term, -1 when no campaign has the word. */
  find({ stem, vocabulary }: Entry): number {
    return vocabulary >= 0 ? this.#byWord[vocabulary]! - 1 : (this.#numbers.get(stem) ?? -1);
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
    const word = this.#lexicon.vocabulary.get(stem);
    if (word !== undefined) this.#byWord[word] = term + 1;
    return term;
  }

  /** One zero for every term: scratch for a match, which leaves it as it was. */
  spots(): Int32Array {
    if (this.#spots.length < this.#numbers.size) this.#spots = new Int32Array(2 * this.#numbers.size);
    return this.#spots;
  }
}
