import { CATEGORIES_1, CATEGORIES_3 } from './category-ids.ts';

/** Paths of the IAB Content Taxonomy by their id in 3.1: "Automotive > Auto Parts". */
export function pathsById(): Map<string, string> {
  const all = new Map<string, string>();
  for (const line of CATEGORIES_3) {
    const above: string[] = [];
    for (const entry of line.split('|')) {
      const depth = entry.lastIndexOf('>') + 1;
      const blank = entry.indexOf(' ');
      above.length = depth;
      above.push(entry.slice(blank + 1));
      all.set(entry.slice(depth, blank), above.join(' > '));
    }
  }
  return all;
}

/** Ids in 3.1 by codes of 1.0. */
export function pairsOf1(): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const pair of CATEGORIES_1.flatMap((line) => line.split(' '))) {
    const [code = '', id = ''] = pair.split(':');
    all.set(`IAB${code}`, [...(all.get(`IAB${code}`) ?? []), id]);
  }
  return all;
}

/** Adds to each first-tier code of 1.0 the ids of the codes below it, even if 3.1 has moved some of them to another tier. */
export function pairsUnder1(pairs: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const [code, ids] of pairs)
    for (const at of new Set([code, code.split('-', 1)[0]!])) all.set(at, [...(all.get(at) ?? []), ...ids]);
  return all;
}

/** Normalizes a category name for comparison: "Bars & Restaurants" equals "bars and restaurants". */
const nameKey = (name: string): string =>
  (
    name
      .toLowerCase()
      .replaceAll('&', ' and ')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ');

/** Returns a function that finds the paths of a category by its name, path, id in 3.1, or code of 1.0. No paths if it is unknown. */
export function createCategoryPaths(): (category: string) => readonly string[] {
  const byId = pathsById();
  const known = new Map<string, string[]>();
  for (const path of byId.values()) {
    for (const key of new Set([nameKey(path), nameKey(path.split(' > ').at(-1)!)])) {
      known.set(key, [...(known.get(key) ?? []), path]);
    }
  }
  for (const [id, path] of byId) known.set(id, [path]);
  for (const [code, ids] of pairsUnder1(pairsOf1()))
    known.set(
      nameKey(code),
      ids.flatMap((id) => byId.get(id) ?? []),
    );
  return (category) => known.get(nameKey(category)) ?? [];
}
