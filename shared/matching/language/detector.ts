import { fold, foldCase } from '../text/fold.ts';
import { hashWord, TokenScanner } from '../text/token-scanner.ts';
import { FUNCTION_WORDS } from './function-words.ts';
import { NgramScorer, type NgramTable } from './ngrams.ts';
import { detectLanguageByScript } from './scripts.ts';

/**
 * Languages that are treated as one because they are written alike: Norwegian, Malay and Indonesian, Serbo-Croatian.
 */
const CANONICAL_CODES: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', id: 'ms', bs: 'hr', sr: 'hr' };

/** The ISO 639-1 code that represents a language in comparisons. */
export const canonicalLanguage = (code: string): string => CANONICAL_CODES[code] ?? code;

/** Number of characters of a text that language detection reads. */
export const MAX_DETECTION_LENGTH = 300;
/** Score of a function word, and of a common English word. One n-gram scores about 100. */
const FUNCTION_WORD_SCORE = 80;
const COMMON_WORD_SCORE = 60;
/** Minimum lead of the best language over the second to be sure, with and without also having more function words. */
const SURE_MARGIN = { withFunctionWords: 150, without: 260 };
/**
 * With this many English function words, more than of any other language, a text is English. This is the fast path for
 * most conversations.
 */
const MIN_ENGLISH_FUNCTION_WORDS = 4;

export interface DetectedLanguage {
  /** ISO 639-1, canonical (see `canonicalLanguage`). Empty if there is not even a guess. */
  code: string;
  /** Whether the code is more than a guess. */
  isSure: boolean;
}

const APOSTROPHE = /['’]/;
/** ASCII words need no folding. */
const ASCII = /^[\0-\x7f]*$/;
const NONE: DetectedLanguage = { code: '', isSure: false };
const ENGLISH_CODE = 'en';
const ENGLISH: DetectedLanguage = { code: ENGLISH_CODE, isSure: true };

/** Detects the language of texts by script, by function words, and by n-grams of bytes. */
export class LanguageDetector {
  readonly #scorer: NgramScorer;
  readonly #languages: readonly string[];
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #isCommonInEnglish: (word: string) => boolean;
  /** The numbers of the languages that have each function word. */
  readonly #functionWords = new Map<string, number[]>();
  /** Hashes of the function words. Most words have none of these hashes, and need no string. */
  readonly #hashes = new Set<number>();

  constructor(table: NgramTable, isCommonInEnglish: (word: string) => boolean) {
    this.#scorer = new NgramScorer(table);
    this.#languages = table.languages;
    this.#numbers = new Map(table.languages.map((language, number) => [language, number]));
    this.#isCommonInEnglish = isCommonInEnglish;
    for (const [language, list] of Object.entries(FUNCTION_WORDS)) {
      const number = this.#numbers.get(language);
      if (number === undefined) continue; // detected by its script
      for (const word of list.split(' ')) {
        const languages = this.#functionWords.get(word);
        if (languages) languages.push(number);
        else this.#functionWords.set(word, [number]);
        this.#hashes.add(hashWord(word));
      }
    }
  }

  /** Detects the language from the first MAX_DETECTION_LENGTH characters. */
  detect(text: string): DetectedLanguage {
    const folded = foldCase(text.slice(0, MAX_DETECTION_LENGTH));
    const byScript = detectLanguageByScript(folded);
    if (byScript === undefined) return NONE;
    if (byScript !== '') return { code: canonicalLanguage(byScript), isSure: true };
    const functionWordCounts = this.#countFunctionWords(folded);
    const english = this.#numbers.get(ENGLISH_CODE) ?? -1;
    if (isClearly(functionWordCounts, english)) return ENGLISH;
    const words: string[] = [];
    for (const scanner = new TokenScanner(folded); scanner.next(); ) words.push(scanner.token);
    const scores = this.#scorer.score(words);
    for (const [number, count] of functionWordCounts.entries()) scores[number]! += FUNCTION_WORD_SCORE * count;
    const common = words.filter((word) => this.#isCommonInEnglish(word) && !this.#functionWords.has(word)).length;
    scores[english]! += COMMON_WORD_SCORE * common;
    const best = this.#best(scores, functionWordCounts);
    // "cheap hotel berlin" looks German.
    return best.code !== ENGLISH_CODE && 2 * common > words.length ? { ...best, isSure: false } : best;
  }

  /** The number of function words of each language in a text. */
  #countFunctionWords(text: string): Float64Array {
    const counts = new Float64Array(this.#languages.length);
    const count = (word: string) => {
      for (const number of this.#functionWords.get(word) ?? []) counts[number]!++;
    };
    const isAscii = ASCII.test(text);
    for (const scanner = new TokenScanner(text); scanner.next(); )
      if (this.#hashes.has(scanner.hash)) count(scanner.token);
      else if (!scanner.isWord || !(isAscii || ASCII.test(scanner.token)))
        for (const part of scanner.token.split(APOSTROPHE)) count(fold(part));
    return counts;
  }

  #best(scores: Float64Array, functionWords: Float64Array): DetectedLanguage {
    let best = -1;
    let next = -1;
    for (let number = 0; number < scores.length; number++) {
      const score = scores[number]!;
      if (score > (scores[best] ?? 0)) {
        next = best;
        best = number;
      } else if (score > (scores[next] ?? 0)) next = number;
    }
    const language = this.#languages[best];
    if (language === undefined) return NONE;
    const hasMore = (functionWords[best] ?? 0) > (functionWords[next] ?? 0);
    const ahead = (scores[best] ?? 0) - (scores[next] ?? 0);
    return {
      code: canonicalLanguage(language),
      isSure: ahead >= (hasMore ? SURE_MARGIN.withFunctionWords : SURE_MARGIN.without),
    };
  }
}

function isClearly(counts: Float64Array, language: number): boolean {
  const own = counts[language] ?? 0;
  return own >= MIN_ENGLISH_FUNCTION_WORDS && counts.every((count, number) => number === language || 2 * count <= own);
}

/** Languages whose script rules out English, even if the exact language is a guess. */
const CYRILLIC_LANGUAGES = new Set(['ru', 'uk', 'bg']);

/** Whether the language is surely not English, the language of the lexicon. */
export const isNonEnglish = ({ code, isSure }: DetectedLanguage): boolean =>
  code !== ENGLISH_CODE && (isSure || CYRILLIC_LANGUAGES.has(code));
