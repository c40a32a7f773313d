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
/**
 * More marks than follow a letter in any language (UAX 15, Stream-Safe Text Format). Normal forms sort the marks of a letter, and need
 * quadratic time where thousands of them are out of order.
 */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;
const ASCII = /^[\0-\x7f]*$/;

/** Longer texts are folded as a whole, which is quicker for them. */
const MAX_LENGTH_BY_CHARACTER = 128;
/** What folding makes of a character that is no single one, or depends on the characters beside it. */
const NOT_FOLDABLE_ALONE = 0xffff;
/** What becomes of its neighbors by Unicode's normal forms, or of itself by them: marks, the parts of Korean syllables, and Σ at the end of a word. */
const DEPENDS_ON_NEIGHBORS = /[\p{M}\u1100-\u11ff\u03a3\ud800-\udfff]/u;
/** By UTF-16 code unit, what folding makes of it; 0 until it is first asked for. */
const folded = new Uint16Array(1 << 16);
const buffer = new Uint16Array(2 * MAX_LENGTH_BY_CHARACTER);
/** ß becomes two of these. */
const [SHARP_S, SMALL_S] = [0xdf, 0x73];

/** A text without case, accents, compatibility forms (ﬁ, full width) and invisible characters, so that equal words are equal strings. */
export function fold(text: string): string {
  return text.length <= MAX_LENGTH_BY_CHARACTER ? (foldByCharacter(text) ?? foldWhole(text)) : foldWhole(text);
}

/** Words are folded one by one, and most of their letters stay what they are: a look into a table costs a tenth of the normal forms. */
function foldByCharacter(text: string): string | undefined {
  let isSame = true;
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const found = code === SHARP_S ? SMALL_S : folded[code] || foldCode(code);
    if (found === NOT_FOLDABLE_ALONE) return undefined;
    isSame &&= found === code;
    buffer[length++] = found;
    if (code === SHARP_S) buffer[length++] = SMALL_S;
  }
  return isSame ? text : stringFromUnits(buffer.subarray(0, length));
}

/** The string of some UTF-16 code units. Spreading them would go through an iterator, which takes ten times as long. */
export const stringFromUnits = (units: Uint16Array): string =>
  String.fromCharCode.apply(null, units as unknown as number[]);

function foldCode(code: number): number {
  const character = String.fromCharCode(code);
  const found = DEPENDS_ON_NEIGHBORS.test(character) ? '' : foldWhole(character);
  folded[code] = found.length === 1 && !DEPENDS_ON_NEIGHBORS.test(found) ? found.charCodeAt(0) : NOT_FOLDABLE_ALONE;
  return folded[code]!;
}

function foldWhole(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  const bare = decompose(lower).replace(INVISIBLE, '').replace(ACCENTS, '').replaceAll('ß', 'ss');
  return bare.replace(THAI_AM, '\u0e33').replace(LAO_AM, '\u0eb3').normalize('NFC');
}

/** As `fold`, with accents: stemmers and detectors of languages that write them need them. "İ" is "i", as people type it. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  const plain = decompose(lower).replace(INVISIBLE, '').replace(DOT_OF_TURKISH_I, '');
  return plain.replace(THAI_AM, '\u0e33').replace(LAO_AM, '\u0eb3').normalize('NFC');
}

const decompose = (text: string): string => limitMarks(text).normalize('NFKD');

const limitMarks = (text: string): string => text.toWellFormed().replace(TOO_MANY_MARKS, '$1');

/** A text with compatibility forms spelled out and nothing else changed: \ufdfa alone is eighteen characters. */
export const expandCompatibilityForms = (text: string): string =>
  ASCII.test(text) ? text : limitMarks(text).normalize('NFKC');

/** Starts a new piece of a text, so that folding piece by piece gives what folding the whole gives. */
const PIECE = /[^\p{M}\u1160-\u11ff\u0e32\u0eb2\uff9e\uff9f][\p{M}\u1160-\u11ff\u0e32\u0eb2\uff9e\uff9f]*|[\s\S]/gu;

/** By index of a folded text: where the character that it came from begins and ends in the text as it was written. */
export interface FoldOffsets {
  start(index: number): number;
  end(index: number): number;
}

const IDENTITY_OFFSETS: FoldOffsets = { start: (index) => index, end: (index) => index + 1 };

/**
 * Leads from a folded text back to the text as it was written: folding drops accents and invisible characters and spells out others.
 * Undefined for the rare text whose characters fold otherwise by themselves than side by side.
 */
export function mapFoldOffsets(text: string, folded: string, fold: (text: string) => string): FoldOffsets | undefined {
  if (ASCII.test(text)) return IDENTITY_OFFSETS;
  const starts = new Int32Array(folded.length);
  const ends = new Int32Array(folded.length);
  const lengths = new Map<string, number>();
  let at = 0;
  for (const { 0: piece, index } of text.matchAll(PIECE)) {
    const length = lengths.get(piece) ?? fold(piece).length;
    lengths.set(piece, length);
    if (at + length > folded.length) return undefined;
    starts.fill(index, at, at + length);
    ends.fill(index + piece.length, at, at + length);
    at += length;
  }
  return at === folded.length ? { start: (index) => starts[index] ?? 0, end: (index) => ends[index] ?? 0 } : undefined;
}
