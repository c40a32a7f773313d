import { prefixSums } from '../text/prefix-sums.ts';

/** Length of an n-gram, and distance between the starts of two n-grams, in bytes. */
const NGRAM_BYTES = 4;
const STRIDE = 3;
/** Maximum bytes read of a word. */
const MAX_WORD_BYTES = 70;
const BLANK = 0x20;
/** Subtracted from every score in the table to keep it small. */
const BASE_SCORE = 53;

/**
 * The likelihood of n-grams of bytes in each language: the smallest table of the detector eld
 * (github.com/nitotm/efficient-language-detector-js, Apache-2.0), compiled by infra/lexicon. Parallel columns: the n-gram hashes in
 * ascending order, the number of languages per n-gram, and those languages in sequence with their scores.
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
/** Mixes the high bits: after FNV-1a, they are similar for short texts. */
const finishHash = (hash: number): number => Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) ^ (hash >>> 12);

/** Hashes the bytes of an n-gram, including a blank at the start or end of the word. */
export const hashNgram = (bytes: readonly number[]): number => finishHash(bytes.reduce(extendHash, HASH_SEED));

/** N-grams are grouped by the highest bits of their hash, so a search covers only a few. */
const BUCKET_BITS = 12;
const toBucket = (ngram: number): number => (ngram >> (32 - BUCKET_BITS)) + (1 << (BUCKET_BITS - 1));

/** Scores words by their n-grams, like eld. */
export class NgramScorer {
  readonly #table: NgramTable;
  /** By n-gram, the index of its first language; by bucket, the index of its first n-gram. */
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

  /** The score of each language: the sum over the words' distinct n-grams. */
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

  /** The index of an n-gram in the table, or -1. */
  #indexOf(ngram: number): number {
    const { ngrams } = this.#table;
    const bucket = toBucket(ngram);
    const end = this.#buckets[bucket + 1]!;
    for (let index = this.#buckets[bucket]!; index < end; index++) if (ngrams[index] === ngram) return index;
    return -1;
  }
}

/**
 * Adds the n-grams of the word between two indexes: four bytes, every three bytes, then the last four. The word is padded with a blank at
 * both ends.
 */
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
