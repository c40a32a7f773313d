/**
 * The class of a character for the tokenizer: part of a word (digits and marks are letters too), part of a word whose script puts no
 * spaces between words, a joiner when letters stand on both sides (a dot that joins nothing ends a sentence), the end of a sentence,
 * a pause, or none of these.
 */
export const [LETTER, UNSPACED, JOINER, DOT, SENTENCE_END, PAUSE] = [1, 2, 3, 4, 5, 6] as const;
const OTHER = 7;

const PLAIN = /[a-zA-Z0-9]/;
const LETTERS = /[\p{L}\p{N}\p{M}]/u;
const UNSPACED_LETTERS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const SIGNS = new Map<string, number>();
for (const sign of "'’&") SIGNS.set(sign, JOINER);
for (const sign of '!?;:\n。！？；') SIGNS.set(sign, SENTENCE_END);
for (const sign of ',()"、，') SIGNS.set(sign, PAUSE);
SIGNS.set('.', DOT);

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
  return SIGNS.get(character) ?? OTHER;
}
