import type { TermDictionary } from '../inventory/term-dictionary.ts';
import { ArrayPool, raise } from '../reading/arrays.ts';
import type { ConversationReading } from '../reading/read-conversation.ts';
import type { KeywordFeatures } from './relevance.ts';

/** Most positions of a term that are looked at, newest first: bounds the work for a message of one repeated word. */
export const MAX_POSITIONS = 8;
/** Other words may stand among a keyword's own. */
export const MAX_WORDS_BETWEEN = 2;

/** Where a conversation says the terms of campaigns' keywords, for looking keywords up. The terms said are numbered, newest first. */
export class TermPositions {
  /** How many terms were said. */
  count = 0;
  /** By term said, its number in the dictionary. */
  readonly #terms: Int32Array;
  /** By term said, the tokens at which it stands: the newest, the oldest, and how many. */
  readonly #newest: Int32Array;
  readonly #oldest: Int32Array;
  readonly #frequencies: Int32Array;
  /** By term said, the most that it counts at any of its tokens. */
  readonly #weights: Float32Array;
  /** By token, the next older one of the same term, or -1. */
  readonly #older: Int32Array;
  /** By token, its term in the dictionary, or -1. */
  readonly #termOf: Int32Array;
  /** By term of the dictionary, 1 + its number among those said; 0 unsaid. */
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
      const said = (indexes[term] ?? 0) - 1;
      if (said < 0) this.#addFirst(term, token);
      else this.#addOlder(said, token);
    }
  }

  #addFirst(term: number, token: number): void {
    const said = this.count++;
    this.#terms[said] = term;
    this.#newest[said] = token;
    this.#oldest[said] = token;
    this.#frequencies[said] = 1;
    this.#weights[said] = this.#reading.tokenWeights[token] ?? 0;
    this.#indexes[term] = this.count;
  }

  #addOlder(said: number, token: number): void {
    raise(this.#weights, said, this.#reading.tokenWeights[token] ?? 0);
    this.#frequencies[said] = this.frequency(said) + 1;
    this.#older[this.#oldest[said]!] = token;
    this.#oldest[said] = token;
  }

  /** Gives the dictionary its memory back, all zeros. */
  release(): void {
    for (let said = 0; said < this.count; said++) this.#indexes[this.term(said)] = 0;
  }

  /** The number of a term of the dictionary among those said, or -1. */
  indexOf(term: number): number {
    return (this.#indexes[term] ?? 0) - 1;
  }

  /** The number in the dictionary of a term said. */
  term(said: number): number {
    return this.#terms[said]!;
  }

  weight(said: number): number {
    return this.#weights[said] ?? 0;
  }

  frequency(said: number): number {
    return this.#frequencies[said] ?? 0;
  }

  /** The newest token at which a term said stands. */
  newest(said: number): number {
    return this.#newest[said] ?? -1;
  }

  /** The next older token of the same term, or -1. */
  older(token: number): number {
    return this.#older[token] ?? -1;
  }

  /** Sets the most that a keyword of at most `length` words can be whose rarest one is a term said: all but its evidence. */
  boundFeatures(said: number, length: number, most: KeywordFeatures): void {
    most.coverage = most.requested = most.latest = most.unknown = 0;
    let token = this.newest(said);
    for (let seen = 0; token >= 0 && seen < MAX_POSITIONS; token = this.older(token), seen++) {
      most.coverage = Math.max(most.coverage, this.#mostCoverage(token, length));
      this.addMessageFeatures(token, most);
    }
  }

  /** Notes of a keyword what it is by the message that its rarest word stands in, at a token: whether requested, said just now, unknown. */
  addMessageFeatures(token: number, features: KeywordFeatures): void {
    const { isRequest, latest, tokens, tokenWeights } = this.#reading;
    const message = tokens.message(token);
    if (isRequest[message]) features.requested = 1;
    if (message !== latest.message || tokenWeights[token] === 0) return;
    features.latest = 1;
    if (tokens.wordNumber(token) < 0) features.unknown = 1;
  }

  /** The largest share of its message that a keyword of at most `length` words around a token can have. */
  #mostCoverage(token: number, length: number): number {
    const { contentShares, isUser, tokens } = this.#reading;
    // Nothing that the assistant says has a share.
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

  /** The token nearest to `center` at which a term stands, less than `reach` positions off; -1 when there is none. */
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
