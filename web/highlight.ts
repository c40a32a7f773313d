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

/**
 * A text in pieces: those that are a matched term, and what lies between. The words of a term stand together; where they do so
 * nowhere, as the page splits words otherwise than the service, each is marked by itself.
 */
export function highlight(text: string, terms: readonly string[]): Segment[] {
  const words = [...text.matchAll(WORD)];
  const said = words.map(([word]) => lower(word));
  const isSaidAt = (at: number, term: readonly string[]) =>
    term.every((part, step) => isForm(part, said[at + step] ?? ''));
  const wanted = terms.flatMap((term) => {
    const parts: string[] = lower(term).match(WORD) ?? [];
    return said.some((_, at) => isSaidAt(at, parts)) ? [parts] : parts.map((part) => [part]);
  });
  const segments: Segment[] = [];
  const add = (from: number, to: number, isTerm: boolean) => {
    if (to > from) segments.push({ text: text.slice(from, to), isTerm });
  };
  let end = 0;
  for (let at = 0; at < words.length; ) {
    const longest = Math.max(0, ...wanted.filter((term) => isSaidAt(at, term)).map(({ length }) => length));
    if (longest > 0) {
      const [first, last] = [words[at]!, words[at + longest - 1]!];
      add(end, first.index, false);
      end = last.index + last[0].length;
      add(first.index, end, true);
    }
    at += Math.max(1, longest);
  }
  add(end, text.length, false);
  return segments;
}
