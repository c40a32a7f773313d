import { fold, LETTERS_BY_SIGN } from '../../matching/index.ts';
import { TEXT_FIELDS } from '../creative.ts';
import { toLookalikeLatin } from './scripts.ts';

/** A sentence that is longer is read in pieces of about this many characters, so that nothing hides in its length. */
const LONGEST = 240;

/** Ends of sentences and lines. A mark that is followed by a quotation mark or bracket ends behind that. */
const ENDS = /(?<=[.!?…।؟][»"”')\]]?)\s+|(?<=[。！？])|\n+|(?<=;)\s+/u;
const ENDED = /[.!?…。！？।؟][»"”')\]]?$/u;
const PIECES = new RegExp(`[^]{1,${LONGEST}}(?=\\s|$)|[^]{1,${LONGEST}}`, 'gu');

/** What of a text is judged by itself: each sentence, each with the next, and a short text as a whole. */
export function getPassages(text: string): string[] {
  const sentences = sentencesOf(text);
  const pairs = sentences.slice(1).map((next, i) => `${sentences[i]} ${next}`);
  return [...new Set([...sentences, ...pairs])];
}

const sentencesOf = (text: string): string[] =>
  text
    .split(ENDS)
    .flatMap((sentence) => (sentence.length > LONGEST ? (sentence.match(PIECES) ?? []) : [sentence]))
    .map((sentence) => sentence.trim())
    .filter(Boolean);

type TextField = (typeof TEXT_FIELDS)[number];
export type CreativeTexts = Readonly<Record<TextField, string>>;

/** A passage and the field that it stands in, or the later one of the two that it is put together from. */
interface FieldPassage {
  field: TextField;
  passage: string;
}

/**
 * What is judged of fields that are harmless alone: the end of each with the start of each other, in either order, and short texts as a
 * whole. Each field has one end and one start, so this stays linear in the text.
 */
export function joinPassages(texts: CreativeTexts): FieldPassage[] {
  const fields = TEXT_FIELDS.filter((name) => texts[name].trim() !== '').map((name) => {
    const sentences = sentencesOf(texts[name]);
    return { name, first: sentences[0] ?? '', last: sentences.at(-1) ?? '', whole: texts[name] };
  });
  const joined = fields.flatMap((later, at) =>
    fields.slice(0, at).flatMap((earlier) =>
      [[earlier, later] as const, [later, earlier] as const]
        // No sentence that has ended goes on in the name of a firm, which may be called what a model is called.
        .filter(([first, second]) => second.name !== 'sponsoredBy' || !ENDED.test(first.last))
        .map(([first, second]) => ({ field: later.name, passage: `${first.last} ${second.first}` })),
    ),
  );
  const whole = fields.map((field) => field.whole).join(' ');
  return fields.length > 2 && whole.length <= LONGEST
    ? [...joined, { field: fields.at(-1)!.name, passage: whole }]
    : joined;
}

/** How a passage may be meant to be read: as it stands, and in the Latin letters that its letters look like. */
export function getReadings(passage: string): string[] {
  const latin = toLookalikeLatin(passage);
  return latin === undefined ? spellingsOf(passage) : [...new Set([...spellingsOf(passage), ...spellingsOf(latin)])];
}

/** Folded; with letters for the digits that stand for them; with spread letters joined; backwards and shifted. */
function spellingsOf(passage: string): string[] {
  const folded = foldForReview(passage);
  const spelt = folded.replaceAll(
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
  return [...new Set([folded, spelt, joined, bare, spread, shifted, backwards])];
}

/** As texts are compared: without case and accents, and with one kind of apostrophe and of i. */
export const foldForReview = (text: string): string =>
  fold(text)
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .replaceAll(/[‘’ʼ`´]/gu, "'")
    .replaceAll(/\s+/gu, ' ');
