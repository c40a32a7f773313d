import { fold } from '../text/fold.ts';
import { compileEnglishPatterns, type EnglishPatterns, type EnglishWords } from './english-words.ts';

/**
 * How people ask in one language. Words without accents, as `fold` writes them, separated by "|"; "*" matches any
 * ending.
 */
export interface IntentWords {
  /** A wish, a need, or a question about how to meet one. */
  wish: string;
  /** Questions in a shop, or requests for recommendations. */
  buy: string;
  /** Questions for an encyclopedia: who did what, when. */
  fact: string;
  /** Actions on something the user already has: an order, an account, a device, a calendar. */
  chore: string;
}

export type IntentPatterns = Record<keyof IntentWords, RegExp>;

/** Languages that write no spaces between words, or attach endings to them. */
const UNSPACED_LANGUAGES = new Set(['ja', 'zh', 'ko', 'th']);
export const isUnspacedLanguage = (language: string): boolean => UNSPACED_LANGUAGES.has(language);

/** The words by language, and those of English. The patterns of a language are compiled at first use. */
export class IntentWordsTable {
  readonly #words: Readonly<Record<string, IntentWords>>;
  readonly #patterns = new Map<string, IntentPatterns>();
  readonly #englishWords: EnglishWords;
  #english: EnglishPatterns | undefined;

  constructor(words: Readonly<Record<string, IntentWords>>, englishWords: EnglishWords) {
    this.#words = words;
    this.#englishWords = englishWords;
  }

  get english(): EnglishPatterns {
    this.#english ??= compileEnglishPatterns(this.#englishWords);
    return this.#english;
  }

  get(language: string): IntentPatterns | undefined {
    const cached = this.#patterns.get(language);
    const words = this.#words[language];
    if (cached || !words) return cached;
    const patterns = compilePatterns(words, isUnspacedLanguage(language));
    this.#patterns.set(language, patterns);
    return patterns;
  }
}

/** Letters and combining marks, such as Hindi vowels. */
const LETTER_OR_MARK = '[\\p{L}\\p{M}]';

/** One alternative of a list, including parentheses that are nested at most once. */
const ALTERNATIVE = /(?:\((?:[^()]|\([^()]*\))*\)|[^|()])+/g;
/** Matches the star in "ruf* an", but not in "ruf.* an". */
const ANY_ENDING = /(?<![.)\]])\*/g;
/** A star at the end of an alternative: the pattern can simply stop there, which compiles four times as fast. */
const OPEN_END = /(?<![.)\]])\*$/;

function compilePatterns({ wish, buy, fact, chore }: IntentWords, joined: boolean): IntentPatterns {
  const [before, behind] = joined ? ['', ''] : [`(?<!${LETTER_OR_MARK})`, `(?!${LETTER_OR_MARK})`];
  const pattern = (list: string) => {
    const alternatives = fold(list).match(ALTERNATIVE) ?? [];
    const found = alternatives.filter((one) => OPEN_END.test(one)).map((one) => one.replace(OPEN_END, ''));
    const whole = alternatives.filter((one) => !OPEN_END.test(one));
    if (whole.length > 0) found.push(`(?:${whole.join('|')})${behind}`);
    return new RegExp(`${before}(?:${found.join('|').replaceAll(ANY_ENDING, `${LETTER_OR_MARK}*`)})`, 'u');
  };
  return { wish: pattern(wish), buy: pattern(buy), fact: pattern(fact), chore: pattern(chore) };
}
