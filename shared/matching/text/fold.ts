/**
 * Accents of Latin, Greek and Cyrillic letters, and the points of Hebrew and Arabic, which hardly anybody writes. The marks of other
 * scripts are letters: without them バス, a bus, would be ハス, a lotus, and Hindi would have no vowels.
 */
const ACCENTS = /(?:(?=\p{M})(?![\u3099\u309a])[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Cyrillic}])+/gu;
/** Of no width, or saying only how to show a character: joiners, directions, variations, tags. */
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}\p{Variation_Selector}]+/gu;
/** A vowel of Thai and one of Lao that NFKD decomposes and NFC does not compose again. */
const THAI_AM = /\u0e4d\u0e32/g;
const LAO_AM = /\u0ecd\u0eb2/g;
/** What lower case leaves of "İ" beside the i. */
const DOT_OF_TURKISH_I = /(?<=i)\u0307/g;
const ASCII = /^[\0-\x7f]*$/;

/** A text without case, accents, compatibility forms (ﬁ, full width) and invisible characters, so that equal words are equal strings. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  const bare = lower.toWellFormed().normalize('NFKD').replace(INVISIBLE, '').replace(ACCENTS, '').replaceAll('ß', 'ss');
  return bare.replace(THAI_AM, '\u0e33').replace(LAO_AM, '\u0eb3').normalize('NFC');
}

/** As `fold`, with accents: stemmers and detectors of languages that write them need them. "İ" is "i", as people type it. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  const plain = lower.toWellFormed().normalize('NFKD').replace(INVISIBLE, '').replace(DOT_OF_TURKISH_I, '');
  return plain.replace(THAI_AM, '\u0e33').replace(LAO_AM, '\u0eb3').normalize('NFC');
}
