import type { Lexicon } from '../lexicon/lexicon.ts';
import { getRarity } from '../lexicon/rarity.ts';
import type { CachedWord } from '../lexicon/word-cache.ts';
import { fingerprint } from '../text/fingerprint.ts';
import type { ColumnWriter } from './columns.ts';
import { copyIntoLarger, toCapacity } from './growable-arrays.ts';
import type { IndexColumns, IndexShape } from './segment.ts';

/** The fingerprint of an unused term. */
const UNUSED = -1;

/**
 * Numbers the words of campaigns' keywords. The number of a word that no campaign has anymore is reused. Words are
 * stored as fingerprints in columns: an advertiser can make up millions, and each costs 40 bytes instead of 400.
 */
export class TermDictionary {
  readonly #lexicon: Lexicon;
  #rarities = new Float32Array(64);
  /** The fingerprint of each term's word, and how many times campaigns have it. */
  #fingerprints = new Float64Array(64);
  #useCounts = new Int32Array(64);
  #indexes = new Int32Array(64);
  /** How many numbers were assigned, and which of these are free again. */
  #count = 0;
  readonly #free: number[] = [];
  /** A hash table with linear probing. A bucket contains 1 + the term, or 0 if it is empty. */
  #table = new Int32Array(128);
  /** Incremented whenever a word is added or removed. */
  #version = 0;

  constructor(lexicon: Lexicon, columns?: IndexColumns) {
    this.#lexicon = lexicon;
    if (!columns) return;
    this.#rarities = columns.rarities.numbers;
    this.#fingerprints = columns.fingerprints.numbers;
    this.#useCounts = columns.useCounts.numbers;
    this.#count = columns.rarities.length;
    this.#version = this.#count;
    this.#fillTable();
  }

  write(columns: ColumnWriter<IndexShape>): void {
    columns.push('rarities', this.#rarities.subarray(0, this.#count));
    columns.push('fingerprints', this.#fingerprints.subarray(0, this.#count));
    columns.push('useCounts', this.#useCounts.subarray(0, this.#count));
  }

  /**
   * The number of a word's term, or -1 if no campaign has the word. The word caches it until the dictionary changes.
   */
  find(word: CachedWord): number {
    if (word.termVersion === this.#version) return word.term;
    word.termVersion = this.#version;
    word.term = -1;
    for (let i = 0; word.term < 0 && i < word.fingerprints.length; i++)
      word.term = this.#termIn(this.#bucketOf(word.fingerprints[i]!));
    return word.term;
  }

  /** 0.03 for the most common words, 1 for a rare one. */
  rarity(term: number): number {
    return this.#rarities[term]!;
  }

  /** Adds a stem and returns its number, which is valid until each `add` has been released. */
  add(stem: string): number {
    const hash = fingerprint(stem);
    const existing = this.#termIn(this.#bucketOf(hash));
    if (existing >= 0) {
      this.#useCounts[existing] = (this.#useCounts[existing] ?? 0) + 1;
      return existing;
    }
    const term = this.#free.pop() ?? this.#count++;
    this.#version++;
    if (term === this.#rarities.length) this.#grow(toCapacity(term));
    this.#fingerprints[term] = hash;
    this.#useCounts[term] = 1;
    this.#rarities[term] = getRarity(stem, this.#lexicon.frequencyBands);
    this.#table[this.#bucketOf(hash)] = 1 + term;
    return term;
  }

  release(term: number): void {
    const uses = (this.#useCounts[term] ?? 0) - 1;
    this.#useCounts[term] = uses;
    if (uses > 0) return;
    this.#version++;
    this.#emptyBucket(this.#bucketOf(this.#fingerprint(term)));
    this.#fingerprints[term] = UNUSED;
    this.#free.push(term);
  }

  /** One zero per term. The caller must reset them. */
  getScratch(): Int32Array {
    if (this.#indexes.length < this.#rarities.length) this.#indexes = new Int32Array(this.#rarities.length);
    return this.#indexes;
  }

  #fingerprint(term: number): number {
    return this.#fingerprints[term] ?? UNUSED;
  }

  /** The term in a bucket, or -1. */
  #termIn(bucket: number): number {
    return (this.#table[bucket] ?? 0) - 1;
  }

  #firstBucket(hash: number): number {
    return (hash >>> 0) % this.#table.length;
  }

  #nextBucket(bucket: number): number {
    return bucket + 1 === this.#table.length ? 0 : bucket + 1;
  }

  /** The bucket of a fingerprint's term, or the empty bucket where it belongs. */
  #bucketOf(hash: number): number {
    let bucket = this.#firstBucket(hash);
    for (let term = this.#termIn(bucket); term >= 0 && this.#fingerprint(term) !== hash; term = this.#termIn(bucket))
      bucket = this.#nextBucket(bucket);
    return bucket;
  }

  /** Empties a bucket and moves displaced terms after it, so each stays reachable from its first bucket. */
  #emptyBucket(bucket: number): void {
    const table = this.#table;
    const distance = (from: number, to: number) => (to - from + table.length) % table.length;
    let hole = bucket;
    for (let next = this.#nextBucket(hole); this.#termIn(next) >= 0; next = this.#nextBucket(next)) {
      const term = this.#termIn(next);
      const first = this.#firstBucket(this.#fingerprint(term));
      if (distance(first, next) < distance(hole, next)) continue;
      table[hole] = 1 + term;
      hole = next;
    }
    table[hole] = 0;
  }

  #grow(capacity: number): void {
    this.#rarities = copyIntoLarger(new Float32Array(capacity), this.#rarities);
    this.#fingerprints = copyIntoLarger(new Float64Array(capacity), this.#fingerprints);
    this.#useCounts = copyIntoLarger(new Int32Array(capacity), this.#useCounts);
    this.#fillTable();
  }

  #fillTable(): void {
    const capacity = this.#rarities.length;
    this.#table = new Int32Array(capacity + (capacity >> 1));
    for (let term = 0; term < this.#count; term++)
      if ((this.#useCounts[term] ?? 0) > 0) this.#table[this.#bucketOf(this.#fingerprint(term))] = 1 + term;
  }
}
