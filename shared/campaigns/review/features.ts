/**
 * What a text is told apart by: its words, pairs of neighbours, parts of words, and what its words are about (a machine, an answer, a
 * rival …), alone, in pairs and beside each other, which is the same in every language. Features are numbers: hashes of 24 bits.
 */

/** By what a word may be about, words of all languages; a star stands for any ending. */
export type Meanings = Readonly<Record<string, string>>;

const HASH_BITS = 24;
/** A text with fewer features than this has the weight of one with so many: few words say little. */
const FEWEST = 60;
/** Words this near each other are read together. */
const NEAR = 3;
const LONGEST_STEM = 12;
/** Letters of a word that count. No sentence without spaces is longer, and the parts of longer tokens would take many times the time. */
const MAX_LETTERS = 64;

/** How long the parts of a word are that count: a syllable of Hangul says as much as two or three letters. */
const LATIN_PARTS = [4, 5];
const OTHER_PARTS = [3, 4, 5];
const HANGUL_PARTS = [2, 3, 4];
const HANGUL = /\p{Script=Hangul}/u;
const LATIN = /\p{Script=Latin}/u;
const LETTER = /^[\p{L}\p{M}]/u;
/** What Arabic writes in one with the next word: and, so, by, like, to, the. */
const ARABIC_PREFIX = /^[وف]?[بلك]?(?:ال|ل)?(?=[\u0621-\u064a]{2})/u;

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const TOKENS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[\p{L}\p{M}]+|\p{N}+|[^\s\p{L}\p{N}\p{M}]/gu;
/** As above, but words keep what is joined to them by an apostrophe: "customer's", "l'utente". */
const SPOKEN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[\p{L}\p{M}]+(?:'\p{L}+)?|[^\s\p{L}\p{M}]/gu;

/** Tells what words are about. */
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

  /** The meanings of each word of a folded text that has some, in their order. */
  read(folded: string): string[][] {
    const found: string[][] = [];
    for (const [word] of folded.matchAll(SPOKEN)) {
      if (UNSPACED.test(word)) {
        // Where no spaces are, a word may begin at every character.
        for (let from = 0; from < word.length; from++) found.push(...this.#stemsOf(word.slice(from)));
        continue;
      }
      const bare = word.replace(ARABIC_PREFIX, '');
      const parts = [word, ...(bare === word ? [] : [bare]), ...(word.includes("'") ? word.split("'") : [])];
      const ofWord = parts.flatMap((part) => [...(this.#whole.get(part) ?? []), ...this.#stemsOf(part).flat()]);
      if (ofWord.length > 0) found.push([...new Set(ofWord)]);
    }
    return found;
  }

  #stemsOf(word: string): string[][] {
    const found: string[][] = [];
    for (let length = 1; length <= Math.min(word.length, LONGEST_STEM); length++) {
      const meanings = this.#stems.get(word.slice(0, length));
      if (meanings) found.push(meanings);
    }
    return found;
  }
}

/** The features of a folded text, each once. */
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
    if (LETTER.test(token)) addParts(`_${token}_`, partsOf(token), add);
    if (i + 1 < tokens.length) add(`b${token} ${tokens[i + 1]}`);
  }
  const read = meanings.read(folded);
  const all = [...new Set(read.flat())].sort();
  for (const [i, one] of all.entries()) {
    add(`C${one}`);
    for (const other of all.slice(i + 1)) add(`P${one} ${other}`);
  }
  for (const [i, first] of read.entries())
    for (const next of read.slice(i + 1, i + 1 + NEAR))
      for (const one of first) for (const other of next) if (one !== other) add(`B${one} ${other}`);
  return features;
}

/** What one feature of so many counts. */
export const getFeatureShare = (features: ReadonlySet<number>): number =>
  1 / Math.sqrt(Math.max(FEWEST, features.size));

function partsOf(word: string): readonly number[] {
  if (HANGUL.test(word)) return HANGUL_PARTS;
  if (!LATIN.test(word)) return OTHER_PARTS;
  return word.length > 3 ? LATIN_PARTS : [];
}

function addParts(text: string, lengths: readonly number[], add: (feature: string) => void): void {
  for (const length of lengths)
    for (let from = 0; from + length <= text.length; from++) add(`c${text.slice(from, from + length)}`);
}

/** FNV-1a, mixed once more so that its first bits are as good as its last. */
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
