import { kindOf, UNSPACED } from './characters.ts';
import { Pieces } from './token-scanner.ts';

export { SENTENCE_GAP } from './token-scanner.ts';

/** One word of a text: folded, with the place it stands at. */
export interface Word {
  word: string;
  /** Neighbours differ by 1, words across a comma by 2, words of two sentences by more than SENTENCE_GAP. */
  at: number;
}

/** Stands before the first word of each message, for phrases that begin one: "play …" is a wish, "they play" is none. */
export const START = '^';

/** Words that say nothing about the topic and may stand anywhere inside a phrase: they take no place of their own. */
export const FILLERS: ReadonlySet<string> = new Set(
  'a an the my our his her its their this that these those some any please just really very also such'.split(' '),
);

/**
 * Accents of Latin, Greek and Cyrillic letters, and the points of Hebrew and Arabic, which hardly anybody writes. The marks of other
 * scripts are letters: without them バス, a bus, would be ハス, a lotus, and Hindi would have no vowels.
 */
const ACCENTS = /(?:(?=\p{M})(?![\u3099\u309a])[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Cyrillic}])+/gu;
/** Of no width, or saying only how to show a character: joiners, directions, variations, tags. */
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}\p{Variation_Selector}]+/gu;
/** A vowel that decomposition tears apart and nothing puts together again, in Thai and in Lao. */
const TORN = /\u0e4d\u0e32|\u0ecd\u0eb2/g;
const MENDED: Record<string, string> = { '\u0e4d\u0e32': '\u0e33', '\u0ecd\u0eb2': '\u0eb3' };
const ASCII = /^[\0-\x7f]*$/;
/** Longest run handed to the segmenter at once: it is made for sentences, and a megabyte without a space is not one. */
const SEGMENT = 400;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Case, accents, compatibility forms (ﬁ, full width) and invisible characters removed, so that equal words are equal strings. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  const bare = lower.toWellFormed().normalize('NFKD').replace(INVISIBLE, '').replace(ACCENTS, '').replaceAll('ß', 'ss');
  return bare.replace(TORN, (vowel) => MENDED[vowel]!).normalize('NFC');
}

/** The words of a text in order, without fillers. Time is linear in the text. */
export function words(text: string): Word[] {
  const found: Word[] = [];
  let at = 0;
  for (const pieces = new Pieces(fold(text)); pieces.next(); ) {
    at += pieces.gap;
    for (const word of pieces.plain ? [pieces.piece] : parts(pieces.piece))
      if (!FILLERS.has(word)) found.push({ word, at: at++ });
  }
  return found;
}

/**
 * After these "'s" is "is", which people as often write without the apostrophe: "hes not breathing". After others it says whose;
 * and "it's" is "it", because "its" is left out.
 */
const IS = /^(he|she|that|what|who|where|when|how|there|here|let)['’]s$/;

/** The words of a piece. "don't" is one word without its apostrophe, "hotel's" is "hotel", "u.s." is "us", "3.50" stays a number. */
export function parts(piece: string): string[] {
  if (piece.charCodeAt(0) > 0x7f && isUnspaced(piece)) return unspaced(piece);
  if (!/['’.&]/.test(piece)) return [piece];
  const bare = (IS.test(piece) ? piece : piece.replace(/['’]s$/, '')).replace(/['’&]/g, '');
  if (/^\d+(\.\d+)*$/.test(bare)) return [bare];
  if (/^\p{L}(\.\p{L})+$/u.test(bare)) return [bare.replaceAll('.', '')];
  return bare.split('.');
}

function isUnspaced(piece: string): boolean {
  for (let i = 0; i < piece.length; i++) if (kindOf(piece, i, piece.charCodeAt(i)) === UNSPACED) return true;
  return false;
}

function unspaced(run: string): string[] {
  const found: string[] = [];
  for (let from = 0; from < run.length; from += SEGMENT)
    for (const { segment, isWordLike } of segmenter.segment(run.slice(from, from + SEGMENT)))
      if (isWordLike) found.push(segment);
  return found;
}
