import { DEFAULT_WORD_RULES, type WordRules } from '../language/word-rules.ts';
import { isAnchor, type SafetyWord, toSafetyWord } from '../safety/grammar.ts';
import { fingerprint } from '../text/fingerprint.ts';
import { stringFromUnits } from '../text/fold.ts';
import { stem } from '../text/stem.ts';
import { BATCH_SIZE, hashWord, MAX_WORD_LENGTH, TokenBatch } from '../text/token-scanner.ts';
import { MESSAGE_START } from '../text/words.ts';
import type { Lexicon } from './lexicon.ts';
import { getNegationRoles, getNonEnglishNegationRoles } from './negation-words.ts';
import { getRarity, MIN_RARITY } from './rarity.ts';

/** Properties of a word that do not depend on its context. */
export interface CachedWord {
  /** The word as the conversation spells it, case-folded but not stemmed. It must not be stored or returned. */
  readonly text: string;
  /** Stemmed as in the lexicon. */
  readonly stem: string;
  /** The id of the word rules that were applied. */
  readonly rules: number;
  /** Fingerprints of the stems under which keywords may store it, the likeliest first. */
  readonly fingerprints: readonly number[];
  /** Vocabulary number, or -1 if it is unknown. */
  readonly vocabulary: number;
  readonly rarity: number;
  /** Its roles in negations, as flags: see `getNegationRoles`. */
  readonly negationRoles: number;
  readonly isStopWord: boolean;
  /** The flag of a stop word that has safety classes; 0 for other words. */
  readonly stopWordFlag: number;
  /** The word as the safety rules see it. */
  readonly safety: SafetyWord;
  /** Index into the grammar's class lists for the capitalized word. */
  readonly safetyClasses: number;
  /** Whether it is the anchor of a safety rule. */
  readonly isSafetyAnchor: boolean;
  /** Its number in the term dictionary, or -1, and the dictionary's version at the lookup. */
  term: number;
  termVersion: number;
}

/** Longer words share a small part of the cache. They rarely repeat, and a caller could fill the memory with them. */
const MAX_SHORT_WORD_LENGTH = 24;
/** Replaces the text of a word that is too long to read. */
const ELLIPSIS = '…';
/** Words per set; when a set is full, a new word replaces one. */
const WORDS_PER_SET = 4;
const CAPACITY = 1 << 15;
const LONG_WORD_CAPACITY = 1 << 9;

/**
 * Caches the most recent words to avoid stemming and looking up each occurrence. Words are found by the characters of the text, without
 * creating strings. The cache is set-associative, which bounds its memory. Each index has its own cache, because entries contain numbers of
 * its term dictionary.
 */
export class WordCache {
  /** The token before each message. */
  readonly messageStart: CachedWord;
  /** The entry for words that are too long to read. No phrase, keyword, or rule matches it. */
  readonly #unreadable: CachedWord;
  readonly #lexicon: Lexicon;
  readonly #hashes = new Int32Array(CAPACITY);
  readonly #words: (CachedWord | undefined)[] = new Array(CAPACITY).fill(undefined);
  readonly batch = new TokenBatch();
  /** For each token of the batch, the index of its probable word, and the word. */
  readonly #likelyIndexes = new Int32Array(BATCH_SIZE);
  readonly #found: (CachedWord | undefined)[] = new Array(BATCH_SIZE).fill(undefined);
  /** The round-robin counter for replacement in full sets. */
  #next = 0;

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
    this.messageStart = this.#create(MESSAGE_START, DEFAULT_WORD_RULES);
    this.#unreadable = { ...this.#create(ELLIPSIS, DEFAULT_WORD_RULES), fingerprints: [] };
  }

  /**
   * The words of the tokens in the batch; undefined for a token that is not a single word. Most of the time is memory latency, which short
   * loops overlap for many words.
   */
  findAll(text: string, rules: WordRules): readonly (CachedWord | undefined)[] {
    const { length, from, to, hash, isWord } = this.batch;
    const found = this.#found;
    for (let token = 0; token < length; token++) this.#likelyIndexes[token] = this.#indexOf(hash[token]!);
    for (let token = 0; token < length; token++) {
      const word = this.#words[this.#likelyIndexes[token]!];
      found[token] = word !== undefined && word.text.length === to[token]! - from[token]! ? word : undefined;
    }
    for (let token = 0; token < length; token++) {
      const word = found[token];
      if (isWord[token] === 0) found[token] = undefined;
      else if (word === undefined || word.rules !== rules.id || !isAt(text, from[token]!, word.text))
        found[token] = this.find(text, from[token]!, to[token]!, hash[token]!, rules);
    }
    return found;
  }

  /** The first index in the set that has this hash; otherwise the start of the set. */
  #indexOf(hash: number): number {
    const first = findSetStart(hash);
    for (let index = first; index < first + WORDS_PER_SET; index++) if (this.#hashes[index] === hash) return index;
    return first;
  }

  /** The word between two indexes of a text. `hash` is the hash of its characters. */
  find(text: string, from: number, to: number, hash: number, rules: WordRules = DEFAULT_WORD_RULES): CachedWord {
    if (to - from > MAX_WORD_LENGTH) return this.#unreadable;
    const cached = this.#findCached(text, from, to, hash, rules);
    if (cached) return cached;
    const first = findSetStart(hash, to - from);
    let index = first;
    while (index < first + WORDS_PER_SET && this.#words[index] !== undefined) index++;
    if (index === first + WORDS_PER_SET) index = first + (this.#next++ % WORDS_PER_SET);
    const word = this.#create(copyString(text, from, to), rules);
    this.#hashes[index] = hash;
    this.#words[index] = word;
    return word;
  }

  #findCached(text: string, from: number, to: number, hash: number, rules: WordRules): CachedWord | undefined {
    const first = findSetStart(hash, to - from);
    for (let index = first; index < first + WORDS_PER_SET; index++) {
      if (this.#hashes[index] !== hash) continue;
      const word = this.#words[index];
      if (word?.text.length === to - from && word.rules === rules.id && isAt(text, from, word.text)) return word;
    }
    return undefined;
  }

  /** Like `find`, for a word in its own string. */
  findWord(word: string, rules: WordRules = DEFAULT_WORD_RULES): CachedWord {
    if (word.length > MAX_WORD_LENGTH) return this.#unreadable;
    return this.find(word, 0, word.length, hashWord(word), rules);
  }

  /** A folded word as the safety rules see it. Not cached: in an English text the word is already cached. */
  getSafetyWord(word: string): SafetyWord {
    if (word.length > MAX_WORD_LENGTH) return this.#unreadable.safety;
    const cached = this.#findCached(word, 0, word.length, hashWord(word), DEFAULT_WORD_RULES);
    return cached ? cached.safety : toSafetyWord(word, stem(word), this.#lexicon.safety);
  }

  #fingerprints(word: string, stems: readonly string[], rules: WordRules): number[] {
    const found = stems.map((stem) => fingerprint(stem));
    found.push(...rules.getPartFingerprints(word, stems[0]!));
    return found;
  }

  #create(text: string, rules: WordRules): CachedWord {
    const { vocabulary, rarities, frequencyBands, safety } = this.#lexicon;
    const { folded, plain, stems, isFunctionWord } = rules.getForms(text);
    // German "die" and "hat" are function words, not the English words that the lexicon contains.
    const number = isFunctionWord ? undefined : vocabulary.get(plain);
    const cached = number === undefined ? getRarity(plain, frequencyBands) : (rarities[number] ?? 1);
    const safetyWord = toSafetyWord(folded, plain, safety);
    return {
      text,
      stem: plain,
      rules: rules.id,
      fingerprints: isFunctionWord ? [] : this.#fingerprints(text, stems, rules),
      vocabulary: number ?? -1,
      rarity: isFunctionWord ? MIN_RARITY : cached,
      negationRoles:
        getNonEnglishNegationRoles(rules.language, folded) ?? (isFunctionWord ? 0 : getNegationRoles(text, plain)),
      isStopWord: rules.stopWords.has(text),
      stopWordFlag: safety.stopWords.get(text)?.flag ?? 0,
      safety: safetyWord,
      safetyClasses: safety.classLists.add(safetyWord.asName.groups),
      isSafetyAnchor: isAnchor(safetyWord),
      term: -1,
      termVersion: 0,
    };
  }
}

/** The start of the set for a hash and a length. */
const findSetStart = (hash: number, length = 0): number =>
  Math.imul(hash ^ (hash >>> 15), WORDS_PER_SET) &
  ((length > MAX_SHORT_WORD_LENGTH ? LONG_WORD_CAPACITY : CAPACITY) - 1);

function isAt(text: string, from: number, word: string): boolean {
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) !== text.charCodeAt(from + i)) return false;
  return true;
}

const units = new Uint16Array(MAX_WORD_LENGTH);

/** A slice would keep the whole text in memory. */
function copyString(text: string, from: number, to: number): string {
  for (let i = from; i < to; i++) units[i - from] = text.charCodeAt(i);
  return stringFromUnits(units.subarray(0, to - from));
}
