import { fold } from '../text/fold.ts';

/** How people of a language ask. Words without accents, as `fold` leaves them, separated by "|"; "*" stands for any ending. */
export interface AskingWords {
  /** A wish, a need, or a question that looks for a way to it. */
  wish: string;
  /** What one asks in a shop, or of whoever knows one. */
  buy: string;
  /** What an encyclopedia answers: who did what, when. */
  fact: string;
  /** What is done to what somebody has already: an order, an account, a device, a calendar. */
  chore: string;
}

export type AskingPatterns = Record<keyof AskingWords, RegExp>;

/** Languages that write no spaces between words, or join endings to them. */
const JOINED = new Set(['ja', 'zh', 'ko', 'th']);
export const isJoined = (language: string): boolean => JOINED.has(language);

/** The words by language. Most conversations are English: the patterns of a language are made when it is first met. */
export class AskingWordsTable {
  readonly #words: Readonly<Record<string, AskingWords>>;
  readonly #patterns = new Map<string, AskingPatterns>();

  constructor(words: Readonly<Record<string, AskingWords>>) {
    this.#words = words;
  }

  of(language: string): AskingPatterns | undefined {
    const known = this.#patterns.get(language);
    const words = this.#words[language];
    if (known || !words) return known;
    const patterns = patternsOf(words, isJoined(language));
    this.#patterns.set(language, patterns);
    return patterns;
  }
}

/** Letters, and the vowels that are marks, as in Hindi. */
const SIGN = '[\\p{L}\\p{M}]';

function patternsOf({ wish, buy, fact, chore }: AskingWords, joined: boolean): AskingPatterns {
  const pattern = (list: string) => {
    const words = `(?:${fold(list).replaceAll(/(?<![.)\]])\*/g, `${SIGN}*`)})`;
    return new RegExp(joined ? words : `(?<!${SIGN})${words}(?!${SIGN})`, 'u');
  };
  return { wish: pattern(wish), buy: pattern(buy), fact: pattern(fact), chore: pattern(chore) };
}
