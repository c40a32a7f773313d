/**
 * What a character is to the tokeniser: part of a word (digits and marks are letters too), part of a word whose script puts
 * no spaces between words, a joiner when letters stand on both sides (a dot that joins nothing ends a sentence), the end of a
 * sentence, a pause, or nothing of these.
 */
export const [LETTER, UNSPACED, JOINER, DOT, END, PAUSE, OTHER] = [1, 2, 3, 4, 5, 6, 7] as const;

const PLAIN = /[a-zA-Z0-9]/;
const LETTERS = /[\p{L}\p{N}\p{M}]/u;
const UNSPACED_LETTERS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const SIGNS = new Map<string, number>();
for (const sign of "'’&") SIGNS.set(sign, JOINER);
for (const sign of '!?;:\n。！？；') SIGNS.set(sign, END);
for (const sign of ',()"、，') SIGNS.set(sign, PAUSE);
SIGNS.set('.', DOT);

/** By UTF-16 code unit, its kind; 0 as long as nobody asked. Asking Unicode takes a hundred times as long as looking here. */
const kinds = new Uint8Array(1 << 16);

/** The kind of the character at a place of a text, whose code unit is `code`; both halves of a surrogate pair are of its kind. */
export function kindOf(text: string, at: number, code: number): number {
  return kinds[code]! || ask(text, at, code);
}

function ask(text: string, at: number, code: number): number {
  if (code >= 0xd800 && code <= 0xdfff)
    return judge(String.fromCodePoint(text.codePointAt(code < 0xdc00 ? at : at - 1)!));
  kinds[code] = judge(String.fromCharCode(code));
  return kinds[code]!;
}

function judge(character: string): number {
  if (PLAIN.test(character)) return LETTER;
  // Setting Unicode's tables up takes milliseconds, which the first English conversation of an instance need not wait for.
  if (character > '\x7f' && LETTERS.test(character)) return UNSPACED_LETTERS.test(character) ? UNSPACED : LETTER;
  return SIGNS.get(character) ?? OTHER;
}
