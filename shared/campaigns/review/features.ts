/**
 * Features of a text for the review model, as 24-bit hashes: its words, pairs of adjacent words, parts of words, and the meanings of its
 * words (a machine, an answer, a rival, …). Meanings count singly, in pairs, and in pairs of nearby words. They are the same in every language.
 */

/** Words of all languages by meaning. A star at the end of a word matches any ending. */
export type Meanings = Readonly<Record<string, string>>;

const HASH_BITS = 24;
/** Shorter texts are weighted as if they had this many features, because a few words are weak evidence. */
const MIN_FEATURES = 60;
/** A word forms pairs with this many of the next words. Counts only words with meanings. */
const MAX_DISTANCE = 3;
const MAX_STEM_LENGTH = 12;
/** Letters of a word that are read. Words and Thai sentences without spaces are shorter; longer tokens would make a review slow. */
const MAX_LETTERS = 64;

/** Lengths of word parts. A Hangul syllable contains as much information as two or three letters. */
const LATIN_PART_LENGTHS = [4, 5];
const OTHER_PART_LENGTHS = [3, 4, 5];
const HANGUL_PART_LENGTHS = [2, 3, 4];
const HANGUL = /\p{Script=Hangul}/u;
const LATIN = /\p{Script=Latin}/u;
const LETTER = /^[\p{L}\p{M}]/u;
/** Arabic words that are joined to the next word: and, so, by, like, to, the. */
const ARABIC_PREFIX = /^[وف]?[بلك]?(?:ال|ل)?(?=[\u0621-\u064a]{2})/u;

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const TOKENS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[\p{L}\p{M}]+|\p{N}+|[^\s\p{L}\p{N}\p{M}]/gu;
/** Like TOKENS, but words keep the part after an apostrophe: "customer's", "l'utente". */
const WORDS_AND_MARKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[\p{L}\p{M}]+(?:'\p{L}+)?|[^\s\p{L}\p{M}]/gu;

/** Looks up the meanings of words. */
export class MeaningReader {
  readonly #whole = new Map<string, string[]>();
  readonly #stems = new Map<string, string[]>();

  constructor(meanings: Meanings) {
    for (const [meaning, words] of Object.entries(meanings))
      for (const word of words.split(' ')) {
        const isStem = word.endsWith('*') || UNSPACED.test(word);
        const [table, key] = isStem ? [this.#stems, word.replace('*', '')] : [this.#whole, word];
        table.set(key, [...(table.get(key) ?? []), meaning]);
      }
  }

  /** The meanings of each word of a folded text, in order. Skips words without a meaning. */
  read(folded: string): string[][] {
    const found: string[][] = [];
    for (const [word] of folded.matchAll(WORDS_AND_MARKS)) {
      if (UNSPACED.test(word)) {
        // Without spaces, a word may start at any character.
        for (let from = 0; from < word.length; from++) found.push(...this.#findStems(word.slice(from)));
        continue;
      }
      const bare = word.replace(ARABIC_PREFIX, '');
      const parts = [word, ...(bare === word ? [] : [bare]), ...(word.includes("'") ? word.split("'") : [])];
      const wordMeanings = parts.flatMap((part) => [...(this.#whole.get(part) ?? []), ...this.#findStems(part).flat()]);
      if (wordMeanings.length > 0) found.push([...new Set(wordMeanings)]);
    }
    return found;
  }

  #findStems(word: string): string[][] {
    const found: string[][] = [];
    for (let length = 1; length <= Math.min(word.length, MAX_STEM_LENGTH); length++) {
      const meanings = this.#stems.get(word.slice(0, length));
      if (meanings) found.push(meanings);
    }
    return found;
  }
}

export function extractFeatures(folded: string, meanings: MeaningReader): Set<number> {
  const features = new Set<number>();
  const add = (feature: string) => void features.add(hash(feature));
  const tokens = (folded.match(TOKENS) ?? []).map((token) =>
    /^\p{N}/u.test(token) ? '#' : UNSPACED.test(token) ? token : token.slice(0, MAX_LETTERS),
  );
  if (tokens[0]) add(`^${tokens[0]}`);
  for (const [i, token] of tokens.entries()) {
    if (UNSPACED.test(token)) {
      addParts(token, [1, 2, 3, 4], add);
      continue;
    }
    add(`w${token}`);
    if (LETTER.test(token)) addParts(`_${token}_`, getPartLengths(token), add);
    if (i + 1 < tokens.length) add(`b${token} ${tokens[i + 1]}`);
  }
  const read = meanings.read(folded);
  const all = [...new Set(read.flat())].sort();
  for (const [i, one] of all.entries()) {
    add(`C${one}`);
    for (const other of all.slice(i + 1)) add(`P${one} ${other}`);
  }
  for (const [i, first] of read.entries())
    for (const next of read.slice(i + 1, i + 1 + MAX_DISTANCE))
      for (const one of first) for (const other of next) if (one !== other) add(`B${one} ${other}`);
  return features;
}

/** Weight of each feature of a text. */
export const getFeatureShare = (features: ReadonlySet<number>): number =>
  1 / Math.sqrt(Math.max(MIN_FEATURES, features.size));

function getPartLengths(word: string): readonly number[] {
  if (HANGUL.test(word)) return HANGUL_PART_LENGTHS;
  if (!LATIN.test(word)) return OTHER_PART_LENGTHS;
  return word.length > 3 ? LATIN_PART_LENGTHS : [];
}

function addParts(text: string, lengths: readonly number[], add: (feature: string) => void): void {
  for (const length of lengths)
    for (let from = 0; from + length <= text.length; from++) add(`c${text.slice(from, from + length)}`);
}

/** FNV-1a, mixed again because the bits of plain FNV-1a are unevenly distributed. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value ^= value >>> 15;
  value = Math.imul(value, 0x2c1b3c6d);
  value ^= value >>> 12;
  value = Math.imul(value, 0x297a2d39);
  value ^= value >>> 15;
  return (value >>> 0) & ((1 << HASH_BITS) - 1);
}
