import { fold } from './fold.ts';
import { characterClass, MAX_WORD_LENGTH, TokenScanner, UNSPACED } from './token-scanner.ts';

/** One word of a text, folded, and its position. */
interface Word {
  word: string;
  /** Neighbours differ by 1, words across a comma by 2, words of two sentences by more than SENTENCE_GAP. */
  position: number;
}

/** Stands before the first word of each message, for phrases that only begin one: "play …" is a request, "they play" is none. */
export const MESSAGE_START = '^';

/** Words that say nothing about the topic and may stand anywhere inside a phrase: they take no position of their own. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an the my our his her its their this that these those some any please just really very also such'.split(' '),
);

/** Longest run handed to the segmenter at once: it is made for sentences, and a megabyte without a space is not one. */
const MAX_SEGMENT_LENGTH = 400;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** How a text is cut into words. */
export interface WordSplitting {
  /** Makes equal words equal strings. */
  fold(text: string): string;
  /** The words of a token that is not one as it stands. */
  split(token: string): readonly string[];
  /** Words that are left out. */
  stopWords: ReadonlySet<string>;
}

/** The words of a text in order, without stop words. Time is linear in the text. */
export function splitWords(text: string, { fold, split, stopWords }: WordSplitting = DEFAULT_SPLITTING): Word[] {
  const found: Word[] = [];
  let position = 0;
  for (const scanner = new TokenScanner(fold(text)); scanner.next(); ) {
    position += scanner.gap;
    for (const word of scanner.isWord ? [scanner.token] : split(scanner.token))
      if (!stopWords.has(word)) found.push({ word, position: position++ });
  }
  return found;
}

/**
 * After these "'s" is "is", which people as often write without the apostrophe: "hes not breathing". After others it is the
 * possessive; and "it's" becomes "it", because "its" is a stop word.
 */
const IS = /^(he|she|that|what|who|where|when|how|there|here|let)['’]s$/;

/** The words of a token. "don't" is one word without its apostrophe, "hotel's" is "hotel", "u.s." is "us", "3.50" stays a number. */
export function splitToken(token: string): readonly string[] {
  if (isUnspaced(token)) return segment(token);
  if (!/['’.&]/.test(token)) return [token];
  const bare = (IS.test(token) ? token : token.replace(/['’]s$/, '')).replace(/['’&]/g, '');
  if (/^\d+(\.\d+)*$/.test(bare)) return [bare];
  if (/^\p{L}(\.\p{L})+$/u.test(bare)) return [bare.replaceAll('.', '')];
  return bare.split('.');
}

/** Whether a token has a character of a script that puts no spaces between words. */
export const isUnspaced = (token: string): boolean => findUnspaced(token, 0) < token.length;

/** The index of the next character of a script without spaces, or the length of the text. */
function findUnspaced(text: string, from: number): number {
  let at = from;
  while (at < text.length && characterClass(text, at, text.charCodeAt(at)) !== UNSPACED) at++;
  return at;
}

/** Short runs whose words are remembered, and their longest: each call of the segmenter takes microseconds. Of longer ones a slice would keep its text. */
const MAX_CACHED_RUNS = 2_048;
const MAX_CACHED_RUN_LENGTH = 12;
const segmentCache = new Map<string, readonly string[]>();

/** The words of a run of a script without spaces. */
function segment(run: string): readonly string[] {
  if (run.length > MAX_CACHED_RUN_LENGTH) return segmentPieces(run);
  const known = segmentCache.get(run);
  if (known) return known;
  const found = segmentPieces(run);
  if (segmentCache.size === MAX_CACHED_RUNS) segmentCache.clear();
  segmentCache.set(run, found);
  return found;
}

function segmentPieces(run: string): string[] {
  const found: string[] = [];
  for (let from = 0; from < run.length; ) {
    const end = from + MAX_SEGMENT_LENGTH;
    const segments = [...segmenter.segment(run.slice(from, end))];
    const last = segments.at(-1)!;
    if (end < run.length && last.segment.length <= MAX_WORD_LENGTH) {
      // It may go on behind the piece, and half of it may be another word.
      segments.pop();
      from += last.index;
    } else {
      // Of letters between that are too long for a word, no part is one either.
      from = findUnspaced(run, Math.min(end, run.length));
    }
    for (const { segment, isWordLike } of segments) if (isWordLike) found.push(segment);
  }
  return found;
}

/** How English is cut, and what is not known to be another language. */
export const DEFAULT_SPLITTING: WordSplitting = { fold, split: splitToken, stopWords: STOP_WORDS };
