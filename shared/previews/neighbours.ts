import neighbours from './neighbours.json' with { type: 'json' };

/** Names of what is sold, each list of them by what else is asked of who sells it: its kinds and parts, and the needs for it. In English. */
const NEIGHBOURS: Readonly<Record<string, string>> = neighbours;

/** By keyword as stems, its other names and its neighbours. */
export function neighboursByStems(stemsOf: (keyword: string) => string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [key, others] of Object.entries(NEIGHBOURS)) {
    const names = key.split(', ');
    for (const name of names) {
      const stems = stemsOf(name);
      const known = found.get(stems) ?? [];
      found.set(stems, [...known, ...names.filter((other) => stemsOf(other) !== stems), ...others.split(', ')]);
    }
  }
  return found;
}
