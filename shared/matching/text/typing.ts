/** A line that breaks within a sentence, as chats with Shift+Enter make it: the next one goes on in lower case. */
const BROKEN_LINE = /(?<=[\p{L}\p{N},])[ \t]*\r?\n[ \t\r\n]*(?=\p{Ll})/gu;

const toMap = (pairs: string): Map<string, string> =>
  new Map(pairs.split(' ').map((pair) => [pair.charAt(0), pair.charAt(1)]));

/** Digits and signs that stand for letters within a word, to get around filters: "su1cide", "unal!ve". */
export const LETTERS_BY_SIGN: ReadonlyMap<string, string> = toMap('0o 1i 3e 4a 5s 7t @a $s !i');
const SIGN_IN_WORD = /(?<=\p{L})[013457@$!](?=\p{L})/gu;

/** Letters of Cyrillic and Greek that look like Latin ones, each before the one that it looks like. */
const LETTERS_BY_LOOKALIKE = toMap('аa еe оo рp сc уy хx іi ѕs јj ԁd һh кk мm нh тt вb αa οo ρp νv ιi κk τt');
const WORD = /\p{L}+/gu;
const OF_TWO_SCRIPTS = /\p{sc=Latin}[\p{sc=Cyrl}\p{sc=Grek}]|[\p{sc=Cyrl}\p{sc=Grek}]\p{sc=Latin}/u;

const IS_ASCII = /^[\0-\x7f]*$/;

/**
 * A text in lower case as its writer means it: sentences that a line break cuts are whole, and signs and lookalikes within a word are the
 * letters that they stand for. Linear in the text.
 */
export function readTyping(text: string): string {
  const plain = text
    .replace(BROKEN_LINE, ' ')
    .toLowerCase()
    .replace(SIGN_IN_WORD, (sign) => LETTERS_BY_SIGN.get(sign) ?? sign);
  if (IS_ASCII.test(plain)) return plain;
  return plain.replace(WORD, (word) =>
    OF_TWO_SCRIPTS.test(word) ? word.replace(/./gu, (letter) => LETTERS_BY_LOOKALIKE.get(letter) ?? letter) : word,
  );
}
