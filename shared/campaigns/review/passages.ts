import { fold, LETTERS_BY_SIGN } from '../../matching/index.ts';
import { TEXT_FIELDS } from '../creative.ts';
import { toLookalikeLatin } from './scripts.ts';

/** Longer sentences are cut into pieces, because a command could hide in a long text. In characters. */
const MAX_SENTENCE_LENGTH = 240;

/** Ends of sentences and lines. A closing quotation mark or bracket belongs to the sentence before it. */
const ENDS = /(?<=[.!?…।؟][»"”')\]]?)\s+|(?<=[。！？])|\n+|(?<=;)\s+/u;
const COMPLETE = /[.!?…。！？।؟][»"”')\]]?$/u;
const PIECES = new RegExp(`[^]{1,${MAX_SENTENCE_LENGTH}}(?=\\s|$)|[^]{1,${MAX_SENTENCE_LENGTH}}`, 'gu');

/** Splits a text into the passages to review: each sentence, and each pair of adjacent sentences. */
export function getPassages(text: string): string[] {
  const sentences = splitSentences(text);
  const pairs = sentences.slice(1).map((next, i) => `${sentences[i]} ${next}`);
  return [...new Set([...sentences, ...pairs])];
}

const splitSentences = (text: string): string[] =>
  text
    .split(ENDS)
    .flatMap((sentence) => (sentence.length > MAX_SENTENCE_LENGTH ? (sentence.match(PIECES) ?? []) : [sentence]))
    .map((sentence) => sentence.trim())
    .filter(Boolean);

type TextField = (typeof TEXT_FIELDS)[number];
export type CreativeTexts = Readonly<Record<TextField, string>>;

/** A passage that joins several fields, with the last of them. */
interface FieldPassage {
  field: TextField;
  passage: string;
}

/**
 * Joins texts that may be harmless only by themselves: the last sentence of each field with the first sentence of each other field, in
 * both orders, and all fields if they are short. Only these sentences are joined, so the cost stays linear in the length of the texts.
 */
export function joinPassages(texts: CreativeTexts): FieldPassage[] {
  const fields = TEXT_FIELDS.filter((name) => texts[name].trim() !== '').map((name) => {
    const sentences = splitSentences(texts[name]);
    return { name, first: sentences[0] ?? '', last: sentences.at(-1) ?? '', whole: texts[name] };
  });
  const joined = fields.flatMap((later, at) =>
    fields.slice(0, at).flatMap((earlier) =>
      [[earlier, later] as const, [later, earlier] as const]
        // A complete sentence does not continue in the sponsor's name, and a firm may have the name of a model.
        .filter(([first, second]) => second.name !== 'sponsoredBy' || !COMPLETE.test(first.last))
        .map(([first, second]) => ({ field: later.name, passage: `${first.last} ${second.first}` })),
    ),
  );
  const whole = fields.map((field) => field.whole).join(' ');
  return fields.length > 2 && whole.length <= MAX_SENTENCE_LENGTH
    ? [...joined, { field: fields.at(-1)!.name, passage: whole }]
    : joined;
}

/** The ways to read a passage: as written, and in the Latin letters that its letters look like. */
export function getReadings(passage: string): string[] {
  const latin = toLookalikeLatin(passage);
  return latin === undefined ? getSpellings(passage) : [...new Set([...getSpellings(passage), ...getSpellings(latin)])];
}

/** The folded text, and the same with digits replaced by letters, spaced letters joined, marks removed, reversed, and in ROT13. */
function getSpellings(passage: string): string[] {
  const folded = foldForReview(passage);
  const withLetters = folded.replaceAll(
    /(?<=[a-z])[013457@$!](?=[a-z])|\b[013457@$](?=[a-z]{2})|(?<=[a-z]{2})[013457@$]\b/gu,
    (sign) => LETTERS_BY_SIGN.get(sign) ?? sign,
  );
  const joined = folded.replaceAll(/\b(?:[a-z][ ._*-]){3,}[a-z]\b/gu, (letters) => letters.replaceAll(/[ ._*-]/gu, ''));
  const bare = folded.replaceAll(/(?<=[a-z])[._*|~^-](?=[a-z])/gu, '');
  const spread = folded.replaceAll(/(?<=[a-z])[._*|~^/-]+(?=[a-z])/gu, ' ');
  const shifted = folded.replaceAll(/[a-z]/gu, (letter) =>
    String.fromCharCode(((letter.charCodeAt(0) - 84) % 26) + 97),
  );
  const backwards = [...folded].reverse().join('');
  return [...new Set([folded, withLetters, joined, bare, spread, shifted, backwards])];
}

/** Folds a text for comparison: no case, no accents, one kind of apostrophe, and one kind of i. */
export const foldForReview = (text: string): string =>
  fold(text)
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .replaceAll(/[‘’ʼ`´]/gu, "'")
    .replaceAll(/\s+/gu, ' ');
