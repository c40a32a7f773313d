/**
 * The class of a character for the tokenizer: part of a word (digits and marks are letters too), part of a word whose script puts no
 * spaces between words, a joiner when letters stand on both sides (a dot that joins nothing ends a sentence), the end of a sentence,
 * a pause, or none of these.
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

/** By UTF-16 code unit, its class; 0 until it is first asked for. A regular expression takes a hundred times as long as this table. */
const classes = new Uint8Array(1 << 16);

/** The class of the character at an index of a text, whose code unit is `code`; both halves of a surrogate pair have its class. */
export function characterClass(text: string, index: number, code: number): number {
  return classes[code] || lookUp(text, index, code);
}

function lookUp(text: string, index: number, code: number): number {
  if (code >= 0xd800 && code <= 0xdfff) {
    const whole = text.codePointAt(code < 0xdc00 ? index : index - 1) ?? code;
    return classify(String.fromCodePoint(whole));
  }
  const found = classify(String.fromCharCode(code));
  classes[code] = found;
  return found;
}

function classify(character: string): number {
  if (PLAIN.test(character)) return LETTER;
  // Setting up Unicode's tables takes milliseconds, which the first English conversation of an instance need not wait for.
  if (character > '\x7f' && LETTERS.test(character)) return UNSPACED_LETTERS.test(character) ? UNSPACED : LETTER;
  return CLASS_BY_SIGN.get(character) ?? OTHER;
}

/** Positions between two sentences: more than any phrase spans. */
export const SENTENCE_GAP = 16;

/**
 * Longest word that is looked into, in characters. A longer one is taken whole for a word that nobody knows: a part of it could be
 * another word. No keyword is longer.
 */
export const MAX_WORD_LENGTH = 100;

/**
 * The tokens of a folded text, one after the other: letters, digits and marks, with apostrophes, dots or ampersands inside. Read
 * character by character and without making strings, because this is done for every word of every conversation.
 */
export class TokenScanner {
  readonly text: string;
  /** Indexes of the token's first character and of the one behind its last. */
  from = 0;
  to = 0;
  /** Positions that pauses and ends of sentences put between this token and the one before. */
  gap = 0;
  /** Hash of the token's characters, for tables of words. */
  hash = 0;
  /** Whether the token is one word as it stands; otherwise `splitToken` gives its words. */
  isWord = true;

  constructor(text: string) {
    this.text = text;
  }

  get token(): string {
    return this.text.slice(this.from, this.to);
  }

  /** Goes on to the next token; false at the end of the text. */
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

  /** Whether the character at an index, which is no letter, stands between letters and joins them. */
  #joins(group: number, index: number): boolean {
    const { text } = this;
    if ((group !== JOINER && group !== DOT) || index + 1 === text.length) return false;
    return characterClass(text, index + 1, text.charCodeAt(index + 1)) <= UNSPACED;
  }
}

/** The hash of some characters (FNV-1a, by code unit), continued with one more. */
const extendHash = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);

/** The hash of a word. */
export function hashWord(word: string): number {
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = extendHash(hash, word.charCodeAt(i));
  return hash;
}

/** Most tokens of a batch. */
export const BATCH_SIZE = 64;

/** Some tokens of a text, one after the other, as parallel columns: words are looked up faster together than one by one. */
export class TokenBatch {
  length = 0;
  /** As the scanner has them. */
  readonly from = new Int32Array(BATCH_SIZE);
  readonly to = new Int32Array(BATCH_SIZE);
  readonly hash = new Int32Array(BATCH_SIZE);
  readonly gap = new Int32Array(BATCH_SIZE);
  readonly isWord = new Uint8Array(BATCH_SIZE);

  /** Takes the next tokens of a text; false at its end. */
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
