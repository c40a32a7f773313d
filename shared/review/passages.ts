import { fold } from '../matching/index.ts';

/** A sentence that is longer is read in pieces of about this many characters, so that nothing hides in its length. */
const LONGEST = 240;

/** Ends of sentences and lines. A mark that is followed by a quotation mark or bracket ends behind that. */
const ENDS = /(?<=[.!?…][»"”')\]]?)\s+|(?<=[。！？])|\n+|(?<=;)\s+/u;
const PIECES = new RegExp(`[^]{1,${LONGEST}}(?=\\s|$)|[^]{1,${LONGEST}}`, 'gu');

const STANDS_FOR: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** What of a text is judged by itself: each sentence, each with the next, and a short text as a whole. */
export function passagesOf(text: string): string[] {
  const sentences = text
    .split(ENDS)
    .flatMap((sentence) => (sentence.length > LONGEST ? (sentence.match(PIECES) ?? []) : [sentence]))
    .map((sentence) => sentence.trim())
    .filter(Boolean);
  const pairs = sentences.slice(1).map((next, i) => `${sentences[i]} ${next}`);
  return [...new Set([...sentences, ...pairs])];
}

/** How a passage may be meant to be read: folded; with letters for the digits that stand for them; with spread letters joined; backwards and shifted. */
export function readingsOf(passage: string): string[] {
  const folded = foldForReview(passage);
  const spelt = folded.replaceAll(
    /(?<=[a-z])[013457@$!](?=[a-z])|\b[013457@$](?=[a-z]{2})|(?<=[a-z]{2})[013457@$]\b/gu,
    (sign) => STANDS_FOR[sign]!,
  );
  const joined = folded.replaceAll(/\b(?:[a-z][ ._*-]){3,}[a-z]\b/gu, (letters) => letters.replaceAll(/[ ._*-]/gu, ''));
  const bare = folded.replaceAll(/(?<=[a-z])[._*|~^-](?=[a-z])/gu, '');
  const spread = folded.replaceAll(/(?<=[a-z])[._*|~^/-]+(?=[a-z])/gu, ' ');
  const shifted = folded.replaceAll(/[a-z]/gu, (letter) =>
    String.fromCharCode(((letter.charCodeAt(0) - 84) % 26) + 97),
  );
  const backwards = [...folded].reverse().join('');
  return [...new Set([folded, spelt, joined, bare, spread, shifted, backwards])];
}

/** As texts are compared: without case and accents, and with one kind of apostrophe and of i. */
export const foldForReview = (text: string): string =>
  fold(text)
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .replaceAll(/[‘’ʼ`´]/gu, "'")
    .replaceAll(/\s+/gu, ' ');
