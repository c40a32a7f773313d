import type { TermDictionary } from '../inventory/term-dictionary.ts';
import { ArrayPool, raise } from '../reading/arrays.ts';
import type { ConversationReading } from '../reading/read-conversation.ts';
import type { KeywordFeatures } from './relevance.ts';

/**
 * Maximum number of positions of a term to read, the newest first. Bounds the work for a message that repeats one word.
 */
export const MAX_POSITIONS = 8;
/** Maximum number of other words between the words of a keyword. */
export const MAX_WORDS_BETWEEN = 2;

/** Where the terms of campaign keywords appear in a conversation. Terms found are numbered, newest first. */
export class TermPositions {
  /** Number of distinct terms said. */
  count = 0;
  /** By term said, its number in the dictionary. */
  readonly #terms: Int32Array;
  /** By term said, its newest token, its oldest token, and its number of tokens. */
  readonly #newest: Int32Array;
  readonly #oldest: Int32Array;
  readonly #frequencies: Int32Array;
  /** By term said, its largest weight at any of its tokens. */
  readonly #weights: Float32Array;
  /** By token, the next older one of the same term, or -1. */
  readonly #older: Int32Array;
  /** By token, its term in the dictionary, or -1. */
  readonly #termOf: Int32Array;
  /** By dictionary term, 1 + its number among the terms said; 0 if it was not said. */
  readonly #indexes: Int32Array;
  readonly #reading: ConversationReading;

  constructor(terms: TermDictionary, reading: ConversationReading, pool = new ArrayPool()) {
    const { tokens } = reading;
    this.#reading = reading;
    this.#indexes = terms.getScratch();
    this.#terms = pool.int32(tokens.length);
    this.#newest = pool.int32(tokens.length);
    this.#oldest = pool.int32(tokens.length);
    this.#frequencies = pool.int32(tokens.length);
    this.#weights = pool.float32(tokens.length);
    this.#older = pool.int32(tokens.length).fill(-1);
    this.#termOf = pool.int32(tokens.length).fill(-1);
    const termOf = this.#termOf;
    const indexes = this.#indexes;
    for (let token = tokens.length - 1; token >= 0; token--) {
      const term = terms.find(tokens.word(token));
      if (term < 0) continue;
      termOf[token] = term;
      const index = (indexes[term] ?? 0) - 1;
      if (index < 0) this.#addFirst(term, token);
      else this.#addOlder(index, token);
    }
  }

  #addFirst(term: number, token: number): void {
    const index = this.count++;
    this.#terms[index] = term;
    this.#newest[index] = token;
    this.#oldest[index] = token;
    this.#frequencies[index] = 1;
    this.#weights[index] = this.#reading.tokenWeights[token] ?? 0;
    this.#indexes[term] = this.count;
  }

  #addOlder(index: number, token: number): void {
    raise(this.#weights, index, this.#reading.tokenWeights[token] ?? 0);
    this.#frequencies[index] = this.frequency(index) + 1;
    this.#older[this.#oldest[index]!] = token;
    this.#oldest[index] = token;
  }

  /** Returns the dictionary's scratch memory, all zeros. */
  release(): void {
    for (let index = 0; index < this.count; index++) this.#indexes[this.term(index)] = 0;
  }

  /** The number of a dictionary term among the terms said, or -1. */
  indexOf(term: number): number {
    return (this.#indexes[term] ?? 0) - 1;
  }

  /** The dictionary number of a term said. */
  term(index: number): number {
    return this.#terms[index]!;
  }

  weight(index: number): number {
    return this.#weights[index] ?? 0;
  }

  frequency(index: number): number {
    return this.#frequencies[index] ?? 0;
  }

  /** The newest token of a term said. */
  newest(index: number): number {
    return this.#newest[index] ?? -1;
  }

  /** The next older token of the same term, or -1. */
  older(token: number): number {
    return this.#older[token] ?? -1;
  }

  /**
   * Writes to `bounds` the upper bounds of the features of any keyword that has at most `length` words and whose rarest
   * word is this term. Does not change the evidence.
   */
  boundFeatures(index: number, length: number, bounds: KeywordFeatures): void {
    bounds.coverage = bounds.requested = bounds.latest = bounds.unknown = 0;
    let token = this.newest(index);
    for (let seen = 0; token >= 0 && seen < MAX_POSITIONS; token = this.older(token), seen++) {
      bounds.coverage = Math.max(bounds.coverage, this.#getMaxCoverage(token, length));
      this.addMessageFeatures(token, bounds);
    }
  }

  /** Adds the features of the message that contains the keyword's rarest word: requested, latest, unknown. */
  addMessageFeatures(token: number, features: KeywordFeatures): void {
    const { isRequest, latest, tokens, tokenWeights } = this.#reading;
    const message = tokens.message(token);
    if (isRequest[message]) features.requested = 1;
    if (message !== latest.message || tokenWeights[token] === 0) return;
    features.latest = 1;
    if (tokens.wordNumber(token) < 0) features.unknown = 1;
  }

  /** The largest share of the message's content that a keyword of at most `length` words around the token can cover. */
  #getMaxCoverage(token: number, length: number): number {
    const { contentShares, isUser, tokens } = this.#reading;
    // Words of the assistant have no share.
    if (!isUser[token]) return 0;
    const reach = length === 1 ? 1 : length + MAX_WORDS_BETWEEN;
    const position = tokens.position(token);
    let coverage = contentShares[token] ?? 0;
    for (let near = token - 1; near >= 0 && position - tokens.position(near) < reach; near--)
      coverage += contentShares[near] ?? 0;
    for (let near = token + 1; near < tokens.length && tokens.position(near) - position < reach; near++)
      coverage += contentShares[near] ?? 0;
    return Math.min(1, coverage);
  }

  /** The token nearest to `center` that has a term, fewer than `reach` positions away; -1 if there is none. */
  nearest(center: number, term: number, reach: number): number {
    const { tokens } = this.#reading;
    const position = tokens.position(center);
    for (let step = 1; step < reach; step++) {
      const after = center + step;
      const before = center - step;
      if (this.#termOf[after] === term && tokens.position(after) - position < reach) return after;
      if (this.#termOf[before] === term && position - tokens.position(before) < reach) return before;
    }
    return -1;
  }
}
