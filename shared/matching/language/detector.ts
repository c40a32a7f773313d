import { fold, foldCase } from '../text/fold.ts';
import { TokenScanner, wordHash } from '../text/token-scanner.ts';
import { comparedCode } from './codes.ts';
import { FUNCTION_WORDS } from './function-words.ts';
import { NgramScorer, type NgramTable } from './ngrams.ts';
import { languageOfScript } from './scripts.ts';

/** Characters of a text that its language is told from. */
export const MOST_READ = 300;
/** What a function word of a language counts beside n-grams, of which one counts some 100; and what a common word of English does. */
const FUNCTION_WORD = 80;
const COMMON_WORD = 60;
/** How much the best language must be ahead of the next to be told for sure: with more function words than that has, and without. */
const SURE = { withFunctionWords: 150, without: 260 };
/** So many function words of English, more than of any other language, are English whatever else is said: most conversations are. */
const PLAINLY_ENGLISH = 4;

/** The language of a text. */
export interface DetectedLanguage {
  /** ISO 639-1; of what is told apart by nobody, one for all, see `comparedCode`. Empty where there is not even a guess. */
  code: string;
  /** Whether it is more than a guess. */
  isSure: boolean;
}

const APOSTROPHE = /['’]/;
/** Words without an apostrophe that are folded already. */
const ASCII = /^[\0-\x7f]*$/;
const NONE: DetectedLanguage = { code: '', isSure: false };
const ENGLISH: DetectedLanguage = { code: 'en', isSure: true };

/** Tells the language of texts: by their script, by function words, and by n-grams of bytes. */
export class LanguageDetector {
  readonly #scorer: NgramScorer;
  readonly #languages: readonly string[];
  readonly #numberOf: ReadonlyMap<string, number>;
  readonly #isCommonInEnglish: (word: string) => boolean;
  /** By function word, the numbers of the languages that have it. */
  readonly #functionWords = new Map<string, number[]>();
  /** Hashes of the function words: most words have another, and no string is made of those. */
  readonly #hashes = new Set<number>();

  constructor(table: NgramTable, isCommonInEnglish: (word: string) => boolean) {
    this.#scorer = new NgramScorer(table);
    this.#languages = table.languages;
    this.#numberOf = new Map(table.languages.map((language, number) => [language, number]));
    this.#isCommonInEnglish = isCommonInEnglish;
    for (const [language, list] of Object.entries(FUNCTION_WORDS)) {
      const number = this.#numberOf.get(language);
      if (number === undefined) continue; // its script tells it
      for (const word of list.split(' ')) {
        const known = this.#functionWords.get(word);
        if (known) known.push(number);
        else this.#functionWords.set(word, [number]);
        this.#hashes.add(wordHash(word));
      }
    }
  }

  /** The language of a text, of which the first some hundred characters are read. */
  detect(text: string): DetectedLanguage {
    const folded = foldCase(text.slice(0, MOST_READ));
    const byScript = languageOfScript(folded);
    if (byScript === undefined) return NONE;
    if (byScript !== '') return { code: comparedCode(byScript), isSure: true };
    const said = this.#countFunctionWords(folded);
    const english = this.#numberOf.get('en') ?? -1;
    if (isPlain(said, english)) return ENGLISH;
    const words: string[] = [];
    for (const scanner = new TokenScanner(folded); scanner.next(); ) words.push(scanner.token);
    const scores = this.#scorer.score(words);
    for (const [number, count] of said.entries()) scores[number]! += FUNCTION_WORD * count;
    const common = words.filter((word) => this.#isCommonInEnglish(word) && !this.#functionWords.has(word)).length;
    scores[english]! += COMMON_WORD * common;
    const told = this.#best(scores, said);
    // "cheap hotel berlin" looks German.
    return told.code !== 'en' && 2 * common > words.length ? { ...told, isSure: false } : told;
  }

  /** By language, how many of its function words a text has. */
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
      code: comparedCode(language),
      isSure: ahead >= (hasMore ? SURE.withFunctionWords : SURE.without),
    };
  }
}

function isPlain(counts: Float64Array, language: number): boolean {
  const own = counts[language] ?? 0;
  return own >= PLAINLY_ENGLISH && counts.every((count, number) => number === language || 2 * count <= own);
}
