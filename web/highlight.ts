interface Segment {
  text: string;
  isMarked: boolean;
}

/** A part of a text, from one UTF-16 code unit to before another, as the service tells positions. */
export interface Range {
  start: number;
  end: number;
}

/** A text in pieces: what lies in one of the ranges, and what lies between. Ranges may overlap and come in any order. */
export function highlight(text: string, ranges: readonly Range[]): Segment[] {
  const segments: Segment[] = [];
  const add = (from: number, to: number, isMarked: boolean) => {
    if (to > from) segments.push({ text: text.slice(from, to), isMarked });
  };
  let end = 0;
  for (const range of merged(ranges)) {
    add(end, range.start, false);
    add(range.start, range.end, true);
    end = range.end;
  }
  add(end, text.length, false);
  return segments;
}

/** The ranges in their order, those that touch as one. */
function merged(ranges: readonly Range[]): Range[] {
  const found: Range[] = [];
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = found.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else found.push({ start, end });
  }
  return found;
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
 * Where a text says some terms: the service tells this of what matched, and not of what kept a campaign out. The words of a term stand
 * together; where they do so nowhere, because the page splits words differently than the service, each is found by itself.
 */
export function rangesOf(text: string, terms: readonly string[]): Range[] {
  const words = [...text.matchAll(WORD)];
  const said = words.map(([word]) => lower(word));
  const isSaidAt = (at: number, term: readonly string[]) =>
    term.every((part, step) => isForm(part, said[at + step] ?? ''));
  const wanted = terms.flatMap((term) => {
    const parts: string[] = lower(term).match(WORD) ?? [];
    return said.some((_, at) => isSaidAt(at, parts)) ? [parts] : parts.map((part) => [part]);
  });
  const ranges: Range[] = [];
  for (let at = 0; at < words.length; ) {
    const longest = Math.max(0, ...wanted.filter((term) => isSaidAt(at, term)).map(({ length }) => length));
    if (longest > 0) {
      const [first, last] = [words[at]!, words[at + longest - 1]!];
      ranges.push({ start: first.index, end: last.index + last[0].length });
    }
    at += Math.max(1, longest);
  }
  return ranges;
}
