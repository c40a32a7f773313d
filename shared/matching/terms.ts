import type { Lexicon } from './lexicon.ts';
import { rarity } from './rarity.ts';
import type { Entry } from './wordbook.ts';

/** The words that campaigns' keywords are made of, by number; the number of a word that no campaign has any more is given again. */
export class Terms {
  /** By term: 0.03 for the most common words, 1 for a rare one. */
  rarities = new Float32Array(64);
  readonly #lexicon: Lexicon;
  readonly #numbers = new Map<string, number>();
  /** By term, its stem, and how many times campaigns have it. */
  readonly #stems: (string | undefined)[] = [];
  readonly #uses: number[] = [];
  readonly #free: number[] = [];
  #spots = new Int32Array(64);
  /** How many words have come and gone. */
  #changes = 0;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

  /** The number of a word's term, -1 when no campaign has the word. The entry keeps it until words come or go. */
  find(entry: Entry): number {
    if (entry.asOf === this.#changes) return entry.term;
    entry.asOf = this.#changes;
    if (entry.term < 0 || this.#stems[entry.term] !== entry.stem) entry.term = this.#numbers.get(entry.stem) ?? -1;
    return entry.term;
  }

  /** The number of a keyword's stem, good until it has been released as many times as it was added. */
  add(stem: string): number {
    const known = this.#numbers.get(stem);
    if (known !== undefined) {
      this.#uses[known]!++;
      return known;
    }
    const term = this.#free.pop() ?? this.#stems.length;
    this.#changes++;
    this.#numbers.set(stem, term);
    this.#stems[term] = stem;
    this.#uses[term] = 1;
    if (term === this.rarities.length) {
      const wider = new Float32Array(2 * term);
      wider.set(this.rarities);
      this.rarities = wider;
    }
    this.rarities[term] = rarity(stem, this.#lexicon.bands);
    return term;
  }

  release(term: number): void {
    if (--this.#uses[term]! > 0) return;
    this.#changes++;
    this.#numbers.delete(this.#stems[term]!);
    this.#stems[term] = undefined;
    this.#free.push(term);
  }

  /** One zero for every term: scratch for a match, which leaves it as it was. */
  spots(): Int32Array {
    if (this.#spots.length < this.#stems.length) this.#spots = new Int32Array(2 * this.#stems.length);
    return this.#spots;
  }
}
