import { fold } from '../text/fold.ts';

/** How people of a language ask. Words without accents, as `fold` leaves them, separated by "|"; "*" stands for any ending. */
export interface IntentWords {
  /** A wish, a need, or a question that looks for a way to it. */
  wish: string;
  /** What one asks in a shop, or of whoever knows one. */
  buy: string;
  /** What an encyclopedia answers: who did what, when. */
  fact: string;
  /** What is done to what somebody has already: an order, an account, a device, a calendar. */
  chore: string;
}

export type IntentPatterns = Record<keyof IntentWords, RegExp>;

/** Languages that write no spaces between words, or join endings to them. */
const UNSPACED_LANGUAGES = new Set(['ja', 'zh', 'ko', 'th']);
export const isUnspacedLanguage = (language: string): boolean => UNSPACED_LANGUAGES.has(language);

/** The words by language. Most conversations are English: the patterns of a language are made when it is first met. */
export class IntentWordsTable {
  readonly #words: Readonly<Record<string, IntentWords>>;
  readonly #patterns = new Map<string, IntentPatterns>();

  constructor(words: Readonly<Record<string, IntentWords>>) {
    this.#words = words;
  }

  get(language: string): IntentPatterns | undefined {
    const known = this.#patterns.get(language);
    const words = this.#words[language];
    if (known || !words) return known;
    const patterns = compilePatterns(words, isUnspacedLanguage(language));
    this.#patterns.set(language, patterns);
    return patterns;
  }
}

/** Letters, and the vowels that are marks, as in Hindi. */
const LETTER_OR_MARK = '[\\p{L}\\p{M}]';

/** Alternatives of a list. What stands in parentheses, one pair within another at most, belongs to one of them. */
const ALTERNATIVE = /(?:\((?:[^()]|\([^()]*\))*\)|[^|()])+/g;
/** "ruf* an", but not "ruf.* an". */
const ANY_ENDING = /(?<![.)\]])\*/g;
/** The same at the end: whatever stands behind it. A pattern that does not look there is compiled in a quarter of the time. */
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
