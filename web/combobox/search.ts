/** An entry of a combobox. */
export interface Option {
  /** What the API gets. */
  code: string;
  name: string;
  /** What else people call it. */
  synonyms: readonly string[];
  /** Where it belongs, shown after the name. */
  above?: string;
}

const MARKS = /\p{M}/gu;
const WORDS = /[\p{L}\p{N}]+/gu;

/** Normalizes text for comparison: without case, accents, and punctuation. */
const fold = (text: string): string =>
  (text.normalize('NFKD').replace(MARKS, '').toLowerCase().replaceAll('&', ' and ').match(WORDS) ?? []).join(' ');

const NO_MATCH = Number.POSITIVE_INFINITY;

/** How well an option matches folded text: 0 is an exact match, and a higher rank a weaker one. */
function getRank({ code, name, synonyms, above = '' }: Option, text: string): number {
  const own = fold(name);
  const others = synonyms.map(fold);
  const isWordOf = (key: string) => ` ${key}`.includes(` ${text}`);
  if ([fold(code), own, ...others].includes(text)) return 0;
  if (own.startsWith(text)) return 1;
  if (others.some((other) => other.startsWith(text))) return 2;
  if (isWordOf(own)) return 3;
  if (others.some(isWordOf)) return 4;
  return isWordOf(fold(above)) ? 5 : NO_MATCH;
}

/** The options that match the text, the best first. All options without text. */
export function findOptions(options: readonly Option[], text: string): readonly Option[] {
  const folded = fold(text);
  if (folded === '') return options;
  return options
    .map((option) => ({ option, rank: getRank(option, folded) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank)
    .map(({ option }) => option);
}

/** The option with exactly this name, code, or synonym. A name counts before a synonym of another option. */
export function findExact(options: readonly Option[], text: string): Option | undefined {
  const folded = fold(text);
  if (folded === '') return undefined;
  return (
    options.find(({ code, name }) => fold(name) === folded || fold(code) === folded) ??
    options.find(({ synonyms }) => synonyms.some((synonym) => fold(synonym) === folded))
  );
}

/** Longer text is no typing error of a name, and would take long to compare. */
const MAX_LENGTH = 60;

/** The option whose name or synonym the text probably misspells. */
export function findClosest(options: readonly Option[], text: string): Option | undefined {
  const folded = fold(text);
  if (folded.length < 3 || folded.length > MAX_LENGTH) return undefined;
  let closest: Option | undefined;
  let least = Math.floor(folded.length / 3) + 1;
  for (const option of options) {
    for (const key of [option.name, ...option.synonyms].map(fold)) {
      if (Math.abs(key.length - folded.length) >= least) continue;
      const distance = countEdits(folded, key);
      if (distance >= least) continue;
      least = distance;
      closest = option;
    }
  }
  return closest;
}

/** The Levenshtein distance. */
function countEdits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1)!;
}
