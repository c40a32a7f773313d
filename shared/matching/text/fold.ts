/**
 * Accents of Latin, Greek, and Cyrillic letters, and the points of Hebrew and Arabic, which are rarely written. In
 * other scripts, marks are letters: without them バス (bus) would become ハス (lotus), and Hindi would lose its vowels.
 */
const ACCENTS = /(?:(?=\p{M})(?![\u3099\u309a])[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Cyrillic}])+/gu;
/** Characters without width, or that only control rendering: joiners, directions, variation selectors, tags. */
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}\p{Variation_Selector}]+/gu;
/** Vowels of Thai and Lao that NFKD decomposes and NFC does not recompose. */
const THAI_AM = /\u0e4d\u0e32/g;
const LAO_AM = /\u0ecd\u0eb2/g;
/** The dot that lowercasing "İ" adds after the i. */
const DOT_OF_TURKISH_I = /(?<=i)\u0307/g;
/**
 * More marks than any language puts on a letter (UAX 15, Stream-Safe Text Format). Normalization sorts a letter's marks, which takes
 * quadratic time for thousands of unordered ones.
 */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;
const ASCII = /^[\0-\x7f]*$/;

/** Above this length, folding the whole text is faster. */
const MAX_LENGTH_BY_CHARACTER = 128;
/** Folds to several characters, or depends on its neighbors. */
const NOT_FOLDABLE_ALONE = 0xffff;
/**
 * Characters that normalization combines with their neighbors or reorders: marks, parts of Korean syllables, and Σ at
 * the end of a word.
 */
const DEPENDS_ON_NEIGHBORS = /[\p{M}\u1100-\u11ff\u03a3\ud800-\udfff]/u;
/** By UTF-16 code unit, its folded form; 0 until first requested. */
const folded = new Uint16Array(1 << 16);
const buffer = new Uint16Array(2 * MAX_LENGTH_BY_CHARACTER);
/** ß folds to "ss". */
const [SHARP_S, SMALL_S] = [0xdf, 0x73];

/**
 * Removes case, accents, compatibility forms (ﬁ, full width), and invisible characters, which makes equal words equal
 * strings.
 */
export function fold(text: string): string {
  return text.length <= MAX_LENGTH_BY_CHARACTER ? (foldByCharacter(text) ?? foldWhole(text)) : foldWhole(text);
}

/**
 * Most letters fold to themselves: a table lookup costs a tenth of normalization. Undefined if a character cannot be
 * folded alone.
 */
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

/**
 * Builds a string from UTF-16 code units. Spreading them into the call would use an iterator, which is ten times
 * slower.
 */
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

/**
 * Like `fold`, but keeps accents, which stemmers and the language detector need. "İ" becomes "i", as people type it.
 */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  const plain = decompose(lower).replace(INVISIBLE, '').replace(DOT_OF_TURKISH_I, '');
  return plain.replace(THAI_AM, '\u0e33').replace(LAO_AM, '\u0eb3').normalize('NFC');
}

const decompose = (text: string): string => limitMarks(text).normalize('NFKD');

const limitMarks = (text: string): string => text.toWellFormed().replace(TOO_MANY_MARKS, '$1');

/** Expands compatibility forms and changes nothing else. \ufdfa by itself becomes eighteen characters. */
export const expandCompatibilityForms = (text: string): string =>
  ASCII.test(text) ? text : limitMarks(text).normalize('NFKC');

/**
 * Splits a text into pieces that fold independently: folding each piece gives the same result as folding the whole
 * text.
 */
const PIECE = /[^\p{M}\u1160-\u11ff\u0e32\u0eb2\uff9e\uff9f][\p{M}\u1160-\u11ff\u0e32\u0eb2\uff9e\uff9f]*|[\s\S]/gu;

/** By index in a folded text: the start and end, in the original text, of the character at that index. */
export interface FoldOffsets {
  start(index: number): number;
  end(index: number): number;
}

const IDENTITY_OFFSETS: FoldOffsets = { start: (index) => index, end: (index) => index + 1 };

/**
 * Maps positions in a folded text back to the original text, since folding removes accents and invisible characters and
 * expands others. Undefined for the rare text whose pieces do not fold independently.
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
