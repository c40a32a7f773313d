import { characterClass, DOT, JOINER, LETTER, PAUSE, SENTENCE_END, UNSPACED } from './characters.ts';

/** Positions between two sentences: more than any phrase spans. */
export const SENTENCE_GAP = 16;

/**
 * Longest word that is looked into, in characters. A longer one is taken whole for a word that nobody knows: a part of it could be
 * another word. No keyword is longer.
 */
export const LONGEST_WORD = 100;

/**
 * The tokens of a folded text, one after the other: letters, digits and marks, with apostrophes, dots or ampersands inside. Read
 * character by character and without making strings, because this is done for every word of every conversation.
 */
export class TokenScanner {
  readonly text: string;
  /** Indexes of the token's first character and of the one behind its last. */
  from = 0;
  to = 0;
  /** Positions that pauses and ends of sentences put between this token and the one before. */
  gap = 0;
  /** Hash of the token's characters, for tables of words. */
  hash = 0;
  /** Whether the token is one word as it stands; otherwise `splitToken` gives its words. */
  isWord = true;

  constructor(text: string) {
    this.text = text;
  }

  get token(): string {
    return this.text.slice(this.from, this.to);
  }

  /** Goes on to the next token; false at the end of the text. */
  next(): boolean {
    const { text } = this;
    let i = this.to;
    let gap = 0;
    for (; i < text.length; i++) {
      const group = characterClass(text, i, text.charCodeAt(i));
      if (group <= UNSPACED) break;
      if (group === DOT || group === SENTENCE_END) gap += SENTENCE_GAP;
      else if (group === PAUSE) gap++;
    }
    this.gap = gap;
    this.from = i;
    let hash = 0;
    let isWord = true;
    for (; i < text.length; i++) {
      const code = text.charCodeAt(i);
      const group = characterClass(text, i, code);
      if (group !== LETTER) {
        if (group !== UNSPACED && !this.#joins(group, i)) break;
        isWord = false;
      }
      hash = hashStep(hash, code);
    }
    this.to = i;
    this.hash = hash;
    this.isWord = isWord;
    return i > this.from;
  }

  /** Whether the character at an index, which is no letter, stands between letters and joins them. */
  #joins(group: number, index: number): boolean {
    const { text } = this;
    if ((group !== JOINER && group !== DOT) || index + 1 === text.length) return false;
    return characterClass(text, index + 1, text.charCodeAt(index + 1)) <= UNSPACED;
  }
}

/** The hash of some characters (FNV-1a, by code unit), continued with one more. */
const hashStep = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);

/** The hash of a word. */
export function wordHash(word: string): number {
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = hashStep(hash, word.charCodeAt(i));
  return hash;
}
