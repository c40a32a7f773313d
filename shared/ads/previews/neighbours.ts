import { splitWords, stem } from '../../matching/index.ts';
import table from './neighbours.json' with { type: 'json' };

/** Related English terms, by product names (comma-separated): kinds, parts, and needs that the product serves. */
const NEIGHBOURS: Readonly<Record<string, string>> = table;

/** The words of an English text as stems. */
export const toStems = (text: string): string[] => splitWords(text).map(({ word }) => stem(word));

/** Groups other names and neighbours by the stems of a product name, separated by spaces. */
export function groupNeighbours(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [key, others] of Object.entries(NEIGHBOURS)) {
    const names = key.split(', ');
    const stemmed = names.map((name) => toStems(name).join(' '));
    for (const stems of new Set(stemmed)) {
      const otherNames = names.filter((_, at) => stemmed[at] !== stems);
      found.set(stems, [...(found.get(stems) ?? []), ...otherNames, ...others.split(', ')]);
    }
  }
  return found;
}
