/**
 * Character classes of the tokenizer: part of a word (including digits and marks); part of a word in a script without
 * spaces; a sign that joins the letters around it; a dot, which ends a sentence unless it joins letters; the end of a
 * sentence; a pause.
 */
const [LETTER, JOINER, DOT, SENTENCE_END, PAUSE] = [1, 3, 4, 5, 6] as const;
export const UNSPACED = 2;
const OTHER = 7;

const PLAIN = /[a-zA-Z0-9]/;
const LETTERS = /[\p{L}\p{N}\p{M}]/u;
const UNSPACED_LETTERS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const CLASS_BY_SIGN = new Map<string, number>();
for (const sign of "'’&") CLASS_BY_SIGN.set(sign, JOINER);
for (const sign of '!?;:\n。！？；') CLASS_BY_SIGN.set(sign, SENTENCE_END);
for (const sign of ',()"、，') CLASS_BY_SIGN.set(sign, PAUSE);
CLASS_BY_SIGN.set('.', DOT);

/** By UTF-16 code unit, its class; 0 until first requested. A regular expression would be a hundred times slower. */
const classes = new Uint8Array(1 << 16);

/**
 * The class of the character at an index of a text, where `code` is the code unit. Both halves of a surrogate pair get
 * the class of the pair.
 */
export function characterClass(text: string, index: number, code: number): number {
  return classes[code] || lookUp(text, index, code);
}

function lookUp(text: string, index: number, code: number): number {
  if (code >= 0xd800 && code <= 0xdfff) {
    const whole = text.codePointAt(code < 0xdc00 ? index : index - 1) ?? code;
    return classify(String.fromCodePoint(whole));
  }
  const result = classify(String.fromCharCode(code));
  classes[code] = result;
  return result;
}

function classify(character: string): number {
  if (PLAIN.test(character)) return LETTER;
  // Loading the Unicode tables takes milliseconds; an instance's first English conversation should not wait for that.
  if (character > '\x7f' && LETTERS.test(character)) return UNSPACED_LETTERS.test(character) ? UNSPACED : LETTER;
  return CLASS_BY_SIGN.get(character) ?? OTHER;
}

/** Distance between the positions of two sentences: longer than any phrase. */
export const SENTENCE_GAP = 16;

/**
 * In characters. A longer word counts as unknown and is not split, since a part of it could be a different word. No
 * keyword is longer.
 */
export const MAX_WORD_LENGTH = 100;

/**
 * Iterates over the tokens of a folded text: letters, digits, and marks, with apostrophes, dots, or ampersands inside.
 * It runs for every word of every conversation, and therefore creates no strings.
 */
export class TokenScanner {
  readonly text: string;
  /** The index of the token's first character, and the index after its last. */
  from = 0;
  to = 0;
  /** Positions that pauses and sentence ends add between the previous token and this one. */
  gap = 0;
  /** Hash of the token's characters, for hash tables of words. */
  hash = 0;
  /** Whether the token is a single word; if not, `splitToken` splits it. */
  isWord = true;

  constructor(text: string) {
    this.text = text;
  }

  get token(): string {
    return this.text.slice(this.from, this.to);
  }

  /** Advances to the next token; false at the end of the text. */
  next(): boolean {
    const { text } = this;
    let i = this.to;
    let gap = 0;
    for (; i < text.length; i++) {
      const group = characterClass(text, i, text.charCodeAt(i));
      if (group <= UNSPACED) break;
      if (group === DOT || group === SENTENCE_END) gap += SENTENCE_GAP;
      else if (group === PAUSE) gap++;
    }
    this.gap = gap;
    this.from = i;
    let hash = 0;
    let isWord = true;
    for (; i < text.length; i++) {
      const code = text.charCodeAt(i);
      const group = characterClass(text, i, code);
      if (group !== LETTER) {
        if (group !== UNSPACED && !this.#joins(group, i)) break;
        isWord = false;
      }
      hash = extendHash(hash, code);
    }
    this.to = i;
    this.hash = hash;
    this.isWord = isWord;
    return i > this.from;
  }

  /** Whether the non-letter at an index has letters on both sides and joins them. */
  #joins(group: number, index: number): boolean {
    const { text } = this;
    if ((group !== JOINER && group !== DOT) || index + 1 === text.length) return false;
    return characterClass(text, index + 1, text.charCodeAt(index + 1)) <= UNSPACED;
  }
}

/** Extends an FNV-1a hash by one code unit. */
const extendHash = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);

export function hashWord(word: string): number {
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = extendHash(hash, word.charCodeAt(i));
  return hash;
}

/** Maximum number of tokens in a batch. */
export const BATCH_SIZE = 64;

/** Consecutive tokens of a text as parallel columns, since looking words up together is faster than one by one. */
export class TokenBatch {
  length = 0;
  /** Fields of the scanner, by token. */
  readonly from = new Int32Array(BATCH_SIZE);
  readonly to = new Int32Array(BATCH_SIZE);
  readonly hash = new Int32Array(BATCH_SIZE);
  readonly gap = new Int32Array(BATCH_SIZE);
  readonly isWord = new Uint8Array(BATCH_SIZE);

  /** Loads the next tokens of a text; false at its end. */
  take(scanner: TokenScanner): boolean {
    this.length = 0;
    while (this.length < BATCH_SIZE && scanner.next()) {
      const token = this.length++;
      this.from[token] = scanner.from;
      this.to[token] = scanner.to;
      this.hash[token] = scanner.hash;
      this.gap[token] = scanner.gap;
      this.isWord[token] = scanner.isWord ? 1 : 0;
    }
    return this.length > 0;
  }
}
