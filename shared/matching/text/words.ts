import { fold } from './fold.ts';
import { characterClass, MAX_WORD_LENGTH, TokenScanner, UNSPACED } from './token-scanner.ts';

interface Word {
  word: string;
  /** Adjacent words differ by 1, words across a comma by 2, words of two sentences by more than SENTENCE_GAP. */
  position: number;
}

/**
 * Token before the first word of each message, for phrases that match only there: "play …" is a request, "they play" is
 * not.
 */
export const MESSAGE_START = '^';

/** Words that say nothing about the topic and may appear anywhere inside a phrase. They take up no position. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an the my our his her its their this that these those some any please just really very also such'.split(' '),
);

/**
 * Longest run passed to the segmenter at once. The segmenter is built for sentences, not for a megabyte without spaces.
 */
const MAX_SEGMENT_LENGTH = 400;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** How a text is split into words. */
export interface WordSplitting {
  /** Folds a text, which makes equal words equal strings. */
  fold(text: string): string;
  /** Splits a token that is not a single word. */
  split(token: string): readonly string[];
  /** Words to leave out. */
  stopWords: ReadonlySet<string>;
}

/** The words of a text in order, without stop words. Runs in time linear in the text. */
export function splitWords(text: string, { fold, split, stopWords }: WordSplitting = DEFAULT_SPLITTING): Word[] {
  const results: Word[] = [];
  let position = 0;
  for (const scanner = new TokenScanner(fold(text)); scanner.next(); ) {
    position += scanner.gap;
    for (const word of scanner.isWord ? [scanner.token] : split(scanner.token))
      if (!stopWords.has(word)) results.push({ word, position: position++ });
  }
  return results;
}

/**
 * After these words, "'s" means "is", which is often written without the apostrophe: "hes not breathing". Elsewhere it
 * is the possessive. "it's" becomes "it", because "its" is a stop word.
 */
const IS = /^(he|she|that|what|who|where|when|how|there|here|let)['’]s$/;

/**
 * The words of a token. "don't" becomes "dont", "hotel's" becomes "hotel", "u.s." becomes "us", and "3.50" stays a
 * number.
 */
export function splitToken(token: string): readonly string[] {
  if (isUnspaced(token)) return segment(token);
  if (!/['’.&]/.test(token)) return [token];
  const bare = (IS.test(token) ? token : token.replace(/['’]s$/, '')).replace(/['’&]/g, '');
  if (/^\d+(\.\d+)*$/.test(bare)) return [bare];
  if (/^\p{L}(\.\p{L})+$/u.test(bare)) return [bare.replaceAll('.', '')];
  return bare.split('.');
}

/** Whether a token contains a character of a script without spaces. */
export const isUnspaced = (token: string): boolean => findUnspaced(token, 0) < token.length;

/** The index of the next character of a script without spaces, or the length of the text. */
function findUnspaced(text: string, from: number): number {
  let at = from;
  while (at < text.length && characterClass(text, at, text.charCodeAt(at)) !== UNSPACED) at++;
  return at;
}

/**
 * Limits of the cache of segmented runs; each segmenter call takes microseconds. Longer runs are not cached, because a slice would keep its
 * whole text in memory.
 */
const MAX_CACHED_RUNS = 2_048;
const MAX_CACHED_RUN_LENGTH = 12;
const segmentCache = new Map<string, readonly string[]>();

/** The words of a run in a script without spaces. */
function segment(run: string): readonly string[] {
  if (run.length > MAX_CACHED_RUN_LENGTH) return segmentPieces(run);
  const cached = segmentCache.get(run);
  if (cached) return cached;
  const results = segmentPieces(run);
  if (segmentCache.size === MAX_CACHED_RUNS) segmentCache.clear();
  segmentCache.set(run, results);
  return results;
}

function segmentPieces(run: string): string[] {
  const results: string[] = [];
  for (let from = 0; from < run.length; ) {
    const end = from + MAX_SEGMENT_LENGTH;
    const segments = [...segmenter.segment(run.slice(from, end))];
    const last = segments.at(-1)!;
    if (end < run.length && last.segment.length <= MAX_WORD_LENGTH) {
      // The last word may continue in the next piece; its first half could be a different word.
      segments.pop();
      from += last.index;
    } else {
      // The run is too long to be or contain a word: skip it.
      from = findUnspaced(run, Math.min(end, run.length));
    }
    for (const { segment, isWordLike } of segments) if (isWordLike) results.push(segment);
  }
  return results;
}

/** For English, and for text whose language is unknown. */
export const DEFAULT_SPLITTING: WordSplitting = { fold, split: splitToken, stopWords: STOP_WORDS };
