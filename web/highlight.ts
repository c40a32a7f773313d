interface Segment {
  text: string;
  isTerm: boolean;
}

const WORD = /[\p{L}\p{N}]+/gu;
const ESSENTIAL = 4;

/** Two words that are forms of one: "shoe" and "shoes", "running" and "runs" not. */
const isForm = (one: string, other: string): boolean => {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short === long || (short.length >= ESSENTIAL && long.startsWith(short) && long.length - short.length <= 3);
};

const lower = (text: string): string => text.toLocaleLowerCase('en');

/** A text in pieces: those that are words of a matched term, and what lies between. */
export function highlight(text: string, terms: readonly string[]): Segment[] {
  const wanted = terms.flatMap((term) => lower(term).match(WORD) ?? []);
  const segments: Segment[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!wanted.some((term) => isForm(term, lower(word)))) continue;
    if (index > end) segments.push({ text: text.slice(end, index), isTerm: false });
    segments.push({ text: word, isTerm: true });
    end = index + word.length;
  }
  if (end < text.length) segments.push({ text: text.slice(end), isTerm: false });
  return segments;
}
