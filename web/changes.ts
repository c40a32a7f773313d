/**
 * Returns only the changed fields, so that saving does not overwrite someone else's later changes. Compares nested objects by field, lists
 * as a whole.
 */
export function getChanges<T extends object>(loaded: T, wanted: T): Partial<T> {
  const before = new Map<string, unknown>(Object.entries(loaded));
  const changed = Object.entries(wanted).flatMap(([field, value]: [string, unknown]) => {
    const known = before.get(field);
    if (JSON.stringify(value) === JSON.stringify(known)) return [];
    return [[field, isGroup(value) && isGroup(known) ? getChanges(known, value) : value]];
  });
  return Object.fromEntries(changed);
}

export const isChanged = (loaded: object, wanted: object): boolean =>
  Object.keys(getChanges(loaded, wanted)).length > 0;

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
