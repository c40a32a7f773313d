import { HIDDEN } from '../platform/values/characters.ts';

const ARABIC = '[\\p{Script_Extensions=Arab}&&\\p{L}]';
const HEBREW = '[\\p{Script=Hebr}&&\\p{L}]';
/** Scripts without spaces between words. Zero-width spaces mark where lines may break. */
const UNSPACED = '[\\p{Script=Thai}\\p{Script=Laoo}\\p{Script=Khmr}\\p{Script=Mymr}]';
/** Other scripts whose letters join. */
const CURSIVE = 'Syrc Mand Nkoo Mong Adlm Rohg'.split(' ').map((code) => `[\\p{Script=${code}}&&\\p{L}]`);
/** Scripts with conjuncts. */
const INDIC = 'Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Bali Java Mtei Cakm'
  .split(' ')
  .map((code) => `\\p{Script=${code}}`)
  .join('');
/** Removes the vowel of a letter, so that it forms a conjunct with the next letter. */
const VIRAMA =
  '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca\\u1039\\u17d2\\u1b44\\ua9c0\\uabed\\u{11133}]';

const PICTOGRAPH = '[\\p{Emoji}&&\\p{Extended_Pictographic}]';

/**
 * Hidden characters that a script or an emoji needs. For joiners, these are the contexts A1, A2, and B of Unicode (UAX 31, section 2.3),
 * with A1 between any letters.
 */
const NEEDED = new RegExp(
  [
    // Recommended emoji sequences: families, professions, flags, keycaps.
    '\\p{RGI_Emoji}',
    '[0-9#*]\\ufe0f\\u20e3',
    // Selects whether a character appears as an emoji or as text.
    `(?<=${PICTOGRAPH})[\\ufe0e\\ufe0f]`,
    // A non-joiner between two letters that would join: می‌خواهم. In Persian, it also comes before endings, after letters that do not join.
    `(?<=${ARABIC}\\p{M}*)\\u200c(?=\\p{M}*${ARABIC})`,
    ...CURSIVE.map((letter) => `(?<=${letter}\\p{M}*)\\u200c(?=${letter})`),
    // After a virama: prevents a conjunct, or produces a half form.
    `(?<=[${INDIC}]${VIRAMA})\\u200c(?=[[${INDIC}]&&\\p{L}])`,
    `(?<=[${INDIC}]${VIRAMA})\\u200d(?!\\p{M})`,
    // Before a virama: the other form of conjuncts with ra in Bengali and Kannada, touching letters in Sinhala.
    '(?<=[\\u09b0\\u0cb0])\\u200d(?=[\\u09cd\\u0ccd]\\p{L})',
    '(?<=[\\p{Script=Sinh}&&\\p{L}])\\u200d(?=\\u0dca[\\p{Script=Sinh}&&\\p{L}])',
    // The sign of the Hijri year: heh in its initial form, with nothing after it.
    '(?<=\\u0647)\\u200d(?![\\p{L}\\p{M}])',
    `(?<=[${UNSPACED}&&[\\p{L}\\p{M}]])\\u200b(?=[${UNSPACED}&&\\p{L}])`,
    // A direction mark next to a right-to-left letter. It keeps the neighboring characters in place.
    `(?<=(?:${ARABIC}|${HEBREW})\\p{M}*)[\\u200e\\u200f](?![\\u200e\\u200f])`,
    `(?<![\\u200e\\u200f])[\\u200e\\u200f](?=${ARABIC}|${HEBREW})`,
    // Forms of a Mongolian letter, and the separator before its last vowel.
    '(?<=[\\p{Script=Mong}&&\\p{L}])(?:[\\u180b-\\u180d\\u180f]|\\u180e(?=[\\u1820\\u1821]))',
    // A variant of a Han character.
    '(?<=\\p{Script=Han})[\\u{e0100}-\\u{e011f}]',
  ].join('|'),
  'gv',
);

/** Emoji that keyboards type without the variation selector of the recommended sequence. */
const UNQUALIFIED = new RegExp(`[${PICTOGRAPH}--\\p{Emoji_Presentation}](?![\\ufe0e\\ufe0f\\p{Emoji_Modifier}])`, 'gv');

/** Finds the first hidden character that the text does not need. Returns its code, such as `U+200B`, or undefined. */
export function findHidden(text: string): string | undefined {
  if (!HIDDEN.test(text)) return undefined; // most texts end here; the rest take a millisecond
  const [found] = HIDDEN.exec(text.replace(UNQUALIFIED, '$&\ufe0f').replace(NEEDED, '')) ?? [];
  return found && `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Like `findHidden`, but allows tabs and line breaks. */
export const findHiddenInLines = (text: string): string | undefined => findHidden(text.replaceAll(/[\t\n\r]/g, ' '));
