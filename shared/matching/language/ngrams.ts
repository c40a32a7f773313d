import { prefixSums } from '../text/prefix-sums.ts';

/** Bytes of an n-gram, and from the begin of one to that of the next. */
const NGRAM_BYTES = 4;
const STRIDE = 3;
/** Of a longer word only so many bytes are looked at. */
const MAX_WORD_BYTES = 70;
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

const HASH_SEED = 0x811c9dc5 | 0;
const extendHash = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);
/** Mixes the high bits, which FNV-1a leaves alike for texts as short as these. */
const finishHash = (hash: number): number => Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) ^ (hash >>> 12);

/** The hash of an n-gram, of its bytes and a blank where the word begins or ends. */
export const hashNgram = (bytes: readonly number[]): number => finishHash(bytes.reduce(extendHash, HASH_SEED));

/** The n-grams by the highest bits of their hash: a search begins among a few. */
const BUCKET_BITS = 12;
const toBucket = (ngram: number): number => (ngram >> (32 - BUCKET_BITS)) + (1 << (BUCKET_BITS - 1));

/** Scores words by the n-grams in them, as eld does. */
export class NgramScorer {
  readonly #table: NgramTable;
  /** By n-gram, where its languages begin; by bucket, where its n-grams begin. */
  readonly #first: Int32Array;
  readonly #buckets = new Int32Array((1 << BUCKET_BITS) + 1);
  readonly #encoder = new TextEncoder();

  constructor(table: NgramTable) {
    const { ngrams, ngramCounts } = table;
    this.#table = table;
    this.#first = prefixSums(ngramCounts);
    let placed = 0;
    for (const ngram of ngrams) this.#buckets[toBucket(ngram) + 1] = ++placed;
    let last = 0;
    for (const [bucket, start] of this.#buckets.entries()) this.#buckets[bucket] = last = start || last;
  }

  /** By number of a language, the sum of what the words' n-grams score in it, each once. */
  score(words: readonly string[]): Float64Array {
    const found = new Set<number>();
    const bytes = this.#encoder.encode(words.join(' '));
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(BLANK, from);
      const to = end < 0 ? bytes.length : end;
      addNgrams(bytes, from, Math.min(to, from + MAX_WORD_BYTES), found);
      from = to + 1;
    }
    const scores = new Float64Array(this.#table.languages.length);
    for (const ngram of found) this.#addScores(ngram, scores);
    return scores;
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
    const bucket = toBucket(ngram);
    const end = this.#buckets[bucket + 1]!;
    for (let index = this.#buckets[bucket]!; index < end; index++) if (ngrams[index] === ngram) return index;
    return -1;
  }
}

/** The n-grams of the word from an index to another: four bytes every three, and the last four; with a blank before the first and behind the last. */
function addNgrams(bytes: Uint8Array, from: number, to: number, found: Set<number>): void {
  let at = from;
  for (; at + NGRAM_BYTES < to; at += STRIDE) found.add(hashPart(bytes, at, at + NGRAM_BYTES, at === from, false));
  found.add(hashPart(bytes, Math.max(from, to - NGRAM_BYTES), to, at === from, true));
}

function hashPart(bytes: Uint8Array, from: number, to: number, isFirst: boolean, isLast: boolean): number {
  let hash = isFirst ? extendHash(HASH_SEED, BLANK) : HASH_SEED;
  for (let i = from; i < to; i++) hash = extendHash(hash, bytes[i]!);
  return finishHash(isLast ? extendHash(hash, BLANK) : hash);
}
