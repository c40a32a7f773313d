import { fold } from '../matching/index.ts';

/** Node looks the words of these scripts up in other dictionaries than a Worker's runtime. */
const LOOKED_UP = String.raw`\p{Script=Lao}\p{Script=Khmer}`;
const UNSPACED = String.raw`${LOOKED_UP}\p{Script=Thai}\p{Script=Myanmar}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;

const LOOKED_UP_LETTER = new RegExp(`[${LOOKED_UP}]`, 'u');
const UNSPACED_LETTER = new RegExp(`[${UNSPACED}]`, 'u');
const MAY_BE = new RegExp(String.raw`[${UNSPACED}]|\\u`, 'u');
/** What may be one run for the segmenter. */
const RUN = /[\p{L}\p{N}\p{M}.'’&]+/gu;
/** Of JSON; the first group is that of a character by its number. */
const ESCAPE = /\\(?:u([\da-f]{4})|.)/gi;
/** A full stop that joins letters, or a letter and a digit: for Node it does, for a Worker it parts them. Numbers are one for both. */
const JOINING_STOP = /\.(?!\p{Nd})[\p{L}\p{N}\p{M}]|\P{Nd}\.\p{Nd}/u;

/**
 * Whether a body of JSON has text that a Worker's runtime cuts into other words than Node does: Lao, Khmer, and a full stop in a run
 * of a script without spaces. What is no JSON has none.
 */
export function isCutOtherwise(json: string): boolean {
  if (!MAY_BE.test(json)) return false;
  const text = foldedTexts(json);
  if (LOOKED_UP_LETTER.test(text)) return true;
  for (const [run] of text.matchAll(RUN))
    if (run.includes('.') && JOINING_STOP.test(run) && UNSPACED_LETTER.test(run)) return true;
  return false;
}

/** As words are cut: without escapes, compatibility forms and what is invisible, which may stand between a letter and a full stop. */
function foldedTexts(json: string): string {
  try {
    JSON.parse(json);
  } catch {
    return '';
  }
  // Not stringified anew: how deep what is nested may be for that depends on the runtime.
  return fold(json.replace(ESCAPE, (all, hex) => (hex ? String.fromCharCode(Number.parseInt(hex, 16)) : all)));
}
