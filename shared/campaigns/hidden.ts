import { HIDDEN } from '../platform/values/characters.ts';

const ARABIC = '[\\p{Script_Extensions=Arab}&&\\p{L}]';
const HEBREW = '[\\p{Script=Hebr}&&\\p{L}]';
/** Scripts that set no blanks between words, and break lines where a blank of no width stands. */
const UNPARTED = '[\\p{Script=Thai}\\p{Script=Laoo}\\p{Script=Khmr}\\p{Script=Mymr}]';
/** The other scripts whose letters join. */
const CURSIVE = 'Syrc Mand Nkoo Mong Adlm Rohg'.split(' ').map((code) => `[\\p{Script=${code}}&&\\p{L}]`);
/** Scripts with conjuncts. */
const INDIC = 'Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Bali Java Mtei Cakm'
  .split(' ')
  .map((code) => `\\p{Script=${code}}`)
  .join('');
/** What takes a letter's vowel away, so that it forms a conjunct with the next. */
const VIRAMA =
  '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca\\u1039\\u17d2\\u1b44\\ua9c0\\uabed\\u{11133}]';

const PICTOGRAPH = '[\\p{Emoji}&&\\p{Extended_Pictographic}]';

/** Where a script or an emoji needs one of them. Of joiners these are the contexts A1, A2 and B of Unicode (UAX 31, section 2.3), A1 between any letters. */
const NEEDED = new RegExp(
  [
    // Emoji as they are recommended: families, professions, flags, keycaps.
    '\\p{RGI_Emoji}',
    '[0-9#*]\\ufe0f\\u20e3',
    // Whether a character is shown as an emoji or as text.
    `(?<=${PICTOGRAPH})[\\ufe0e\\ufe0f]`,
    // A non-joiner between two letters that would join: می‌خواهم. Persian is typed with one before an ending, whether the letter joins or not.
    `(?<=${ARABIC}\\p{M}*)\\u200c(?=\\p{M}*${ARABIC})`,
    ...CURSIVE.map((letter) => `(?<=${letter}\\p{M}*)\\u200c(?=${letter})`),
    // Behind a virama: what keeps the next letter from a conjunct, or makes half a letter.
    `(?<=[${INDIC}]${VIRAMA})\\u200c(?=[[${INDIC}]&&\\p{L}])`,
    `(?<=[${INDIC}]${VIRAMA})\\u200d(?!\\p{M})`,
    // Before one: ra whose conjunct has another form in Bengali and Kannada, letters that touch in Sinhala.
    '(?<=[\\u09b0\\u0cb0])\\u200d(?=[\\u09cd\\u0ccd]\\p{L})',
    '(?<=[\\p{Script=Sinh}&&\\p{L}])\\u200d(?=\\u0dca[\\p{Script=Sinh}&&\\p{L}])',
    // The sign of the Hijri year: heh as at a word's start, with nothing behind it.
    '(?<=\\u0647)\\u200d(?![\\p{L}\\p{M}])',
    `(?<=[${UNPARTED}&&[\\p{L}\\p{M}]])\\u200b(?=[${UNPARTED}&&\\p{L}])`,
    // A mark of direction beside a letter from right to left, which keeps what is next to it in its place.
    `(?<=(?:${ARABIC}|${HEBREW})\\p{M}*)[\\u200e\\u200f](?![\\u200e\\u200f])`,
    `(?<![\\u200e\\u200f])[\\u200e\\u200f](?=${ARABIC}|${HEBREW})`,
    // Forms of a Mongolian letter, and the separator before its last vowel.
    '(?<=[\\p{Script=Mong}&&\\p{L}])(?:[\\u180b-\\u180d\\u180f]|\\u180e(?=[\\u1820\\u1821]))',
    // A variant of a Han character; no character has more of them.
    '(?<=\\p{Script=Han})[\\u{e0100}-\\u{e011f}]',
  ].join('|'),
  'gv',
);

/** Emoji that keyboards write without the selector that their recommended sequences have. */
const UNQUALIFIED = new RegExp(`[${PICTOGRAPH}--\\p{Emoji_Presentation}](?![\\ufe0e\\ufe0f\\p{Emoji_Modifier}])`, 'gv');

/** The first character of a text that hides and is not needed, as U+200B; undefined when there is none. */
export function findHidden(text: string): string | undefined {
  if (!HIDDEN.test(text)) return undefined; // as most texts are; what follows takes a millisecond
  const [found] = HIDDEN.exec(text.replace(UNQUALIFIED, '$&\ufe0f').replace(NEEDED, '')) ?? [];
  return found && `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** As above, of a text that may have lines. */
export const findHiddenInLines = (text: string): string | undefined => findHidden(text.replaceAll(/[\t\n\r]/g, ' '));
