import { DOT, END, JOINER, kindOf, LETTER, PAUSE, UNSPACED } from './characters.ts';

/** More than any phrase spans; stands between sentences. */
export const SENTENCE_GAP = 16;

/**
 * The pieces of a folded text, one after the other: letters, digits and marks, with apostrophes, dots or ampersands inside.
 * Read by character and without making strings, because this is done for every word that anybody says.
 */
export class Pieces {
  readonly text: string;
  /** Where the piece begins, and where what follows it does. */
  from = 0;
  to = 0;
  /** How far the pauses and ends of sentences before the piece set it apart from the one before. */
  gap = 0;
  /** A figure of the piece's characters, for tables of words. */
  hash = 0;
  /** Whether the piece is one word as it stands; otherwise `parts` tells its words. */
  plain = true;

  constructor(text: string) {
    this.text = text;
  }

  get piece(): string {
    return this.text.slice(this.from, this.to);
  }

  /** Goes on to the next piece; false at the end of the text. */
  next(): boolean {
    const { text } = this;
    let i = this.to;
    let gap = 0;
    for (; i < text.length; i++) {
      const kind = kindOf(text, i, text.charCodeAt(i));
      if (kind <= UNSPACED) break;
      if (kind === DOT || kind === END) gap += SENTENCE_GAP;
      else if (kind === PAUSE) gap++;
    }
    this.gap = gap;
    this.from = i;
    let hash = 0;
    let plain = true;
    for (; i < text.length; i++) {
      const code = text.charCodeAt(i);
      const kind = kindOf(text, i, code);
      if (kind !== LETTER) {
        if (kind !== UNSPACED && !this.#joins(kind, i)) break;
        plain = false;
      }
      hash = mix(hash, code);
    }
    this.to = i;
    this.hash = hash;
    this.plain = plain;
    return i > this.from;
  }

  /** Whether the character at a place, which is no letter, stands between letters and joins them. */
  #joins(kind: number, at: number): boolean {
    const { text } = this;
    if ((kind !== JOINER && kind !== DOT) || at + 1 === text.length) return false;
    return kindOf(text, at + 1, text.charCodeAt(at + 1)) <= UNSPACED;
  }
}

/** The figure of characters with one more. */
export const mix = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);
