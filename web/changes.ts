/**
 * What somebody changed of what was loaded: fields within fields one by one, lists whole. That alone is sent, so that what others
 * changed meanwhile stays.
 */
export function changesOf<T extends object>(loaded: T, wanted: T): Partial<T> {
  const before = new Map<string, unknown>(Object.entries(loaded));
  const changed = Object.entries(wanted).flatMap(([field, value]: [string, unknown]) => {
    const known = before.get(field);
    if (JSON.stringify(value) === JSON.stringify(known)) return [];
    return [[field, isGroup(value) && isGroup(known) ? changesOf(known, value) : value]];
  });
  return Object.fromEntries(changed);
}

export const isChanged = (loaded: object, wanted: object): boolean => Object.keys(changesOf(loaded, wanted)).length > 0;

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
