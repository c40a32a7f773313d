import neighbours from './neighbours.json' with { type: 'json' };

/** Names of what is sold, each list of them by what else is asked of who sells it: its kinds and parts, and the needs for it. In English. */
const NEIGHBOURS: Readonly<Record<string, string>> = neighbours;

/** By keyword as stems, its other names and its neighbours. */
export function groupNeighbours(stemsOf: (keyword: string) => string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [key, others] of Object.entries(NEIGHBOURS)) {
    const names = key.split(', ');
    const stemmed = names.map(stemsOf);
    for (const stems of new Set(stemmed)) {
      const otherNames = names.filter((_, at) => stemmed[at] !== stems);
      found.set(stems, [...(found.get(stems) ?? []), ...otherNames, ...others.split(', ')]);
    }
  }
  return found;
}
