interface Segment {
  text: string;
  isMarked: boolean;
}

/** A range in UTF-16 code units, end exclusive, as in the API. */
export interface Range {
  start: number;
  end: number;
}

/** Splits a text into marked and unmarked segments. Ranges may overlap and be in any order. */
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

/** Sorts the ranges and merges those that touch. */
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

/** Whether two words are forms of one: "shoe" and "shoes" are; "running" and "runs" are not. */
const isForm = (one: string, other: string): boolean => {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short === long || (short.length >= ESSENTIAL && long.startsWith(short) && long.length - short.length <= 3);
};

const lower = (text: string): string => text.toLocaleLowerCase('en');

/**
 * Finds terms in a text. The service reports positions of matches, but not of excluded keywords. The words of a term must be adjacent. If
 * they never are, because the page splits words differently from the service, searches for each word separately.
 */
export function findRanges(text: string, terms: readonly string[]): Range[] {
  const words = [...text.matchAll(WORD)];
  const spoken = words.map(([word]) => lower(word));
  const isAt = (at: number, term: readonly string[]) =>
    term.every((part, step) => isForm(part, spoken[at + step] ?? ''));
  const wanted = terms.flatMap((term) => {
    const parts: string[] = lower(term).match(WORD) ?? [];
    return spoken.some((_, at) => isAt(at, parts)) ? [parts] : parts.map((part) => [part]);
  });
  const ranges: Range[] = [];
  for (let at = 0; at < words.length; ) {
    const longest = Math.max(0, ...wanted.filter((term) => isAt(at, term)).map(({ length }) => length));
    if (longest > 0) {
      const [first, last] = [words[at]!, words[at + longest - 1]!];
      ranges.push({ start: first.index, end: last.index + last[0].length });
    }
    at += Math.max(1, longest);
  }
  return ranges;
}
