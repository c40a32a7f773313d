/** Bytes of an n-gram, and from the begin of one to that of the next. */
const LENGTH = 4;
const STRIDE = 3;
/** Of a longer word only so many bytes are looked at. */
const LONGEST_WORD = 70;
const BLANK = 0x20;
/** What the table leaves out of every score, to be smaller. */
const BASE_SCORE = 53;

/**
 * How likely n-grams of bytes are in languages: the smallest table of the detector eld (github.com/nitotm/efficient-language-detector-js,
 * Apache-2.0), compiled by infra/lexicon. Parallel columns: n-grams by their hash, in ascending order; how many languages have each;
 * and these one after the other, with their scores.
 */
export interface NgramTable {
  languages: string[];
  ngrams: Int32Array;
  ngramCounts: Uint8Array;
  ngramLanguages: Uint8Array;
  ngramScores: Uint8Array;
}

const FIRST = 0x811c9dc5 | 0;
const step = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);
/** Mixes the high bits, which FNV-1a leaves alike for texts as short as these. */
const finish = (hash: number): number => Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) ^ (hash >>> 12);

/** The hash of an n-gram, of its bytes and a blank where the word begins or ends. */
export const ngramHash = (bytes: readonly number[]): number => finish(bytes.reduce(step, FIRST));

/** Scores words by the n-grams in them, as eld does. */
export class NgramScorer {
  readonly #table: NgramTable;
  /** By n-gram, where its languages begin. */
  readonly #first: Int32Array;
  readonly #bytes = new Uint8Array(3 * LONGEST_WORD);
  readonly #encoder = new TextEncoder();

  constructor(table: NgramTable) {
    this.#table = table;
    this.#first = new Int32Array(table.ngrams.length + 1);
    for (const [i, count] of table.ngramCounts.entries()) this.#first[i + 1] = this.#first[i]! + count;
  }

  /** By number of a language, the sum of what the words' n-grams score in it, each once. */
  score(words: readonly string[]): Float64Array {
    const found = new Set<number>();
    for (const word of words) this.#addNgrams(word, found);
    const scores = new Float64Array(this.#table.languages.length);
    for (const ngram of found) this.#addScores(ngram, scores);
    return scores;
  }

  /** Four bytes every three, and the last four; with a blank before the first and behind the last. */
  #addNgrams(word: string, found: Set<number>): void {
    const length = Math.min(LONGEST_WORD, this.#encoder.encodeInto(word, this.#bytes).written);
    let at = 0;
    for (; at + LENGTH < length; at += STRIDE) found.add(this.#hash(at, at + LENGTH, at === 0, false));
    found.add(this.#hash(Math.max(0, length - LENGTH), length, at === 0, true));
  }

  #hash(from: number, to: number, isFirst: boolean, isLast: boolean): number {
    let hash = isFirst ? step(FIRST, BLANK) : FIRST;
    for (let i = from; i < to; i++) hash = step(hash, this.#bytes[i]!);
    return finish(isLast ? step(hash, BLANK) : hash);
  }

  #addScores(ngram: number, scores: Float64Array): void {
    const { ngramLanguages, ngramScores } = this.#table;
    const index = this.#indexOf(ngram);
    if (index < 0) return;
    for (let i = this.#first[index]!; i < this.#first[index + 1]!; i++)
      scores[ngramLanguages[i]!]! += BASE_SCORE + ngramScores[i]!;
  }

  /** The number of an n-gram in the table, or -1. */
  #indexOf(ngram: number): number {
    const { ngrams } = this.#table;
    let low = 0;
    let high = ngrams.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ngrams[middle]! < ngram) low = middle + 1;
      else high = middle;
    }
    return ngrams[low] === ngram ? low : -1;
  }
}
