import type { z } from 'zod';
import { escapeUnits } from '../platform/values/characters.ts';
import type { OperationInput } from './operations/inputs.ts';
import type { Endpoint } from './operations/rows.ts';

/** Maximum bytes of the header x-ignored-fields. */
const MAX_IGNORED_BYTES = 1_000;
/** Appended to the header if some names do not fit. */
const MORE = '...';

/** The field names that a schema reads, of an object or of a list's items. Empty for a value that is not inspected. */
export interface KnownFields {
  fields?: ReadonlyMap<string, KnownFields>;
  items?: KnownFields;
}

/** Reads the names from `def`. `instanceof` would bundle all of zod into functions that have no schema. */
export function knownTo(schema: z.core.$ZodType): KnownFields {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ('innerType' in def) return knownTo(def.innerType);
  if (def.type === 'array') return { items: knownTo(def.element) };
  if (def.type !== 'object') return {};
  return { fields: new Map(Object.entries(def.shape).map(([name, member]) => [name, knownTo(member)])) };
}

/** Whether an operation reports ignored fields: it reads a body, or it is a management POST or PATCH. */
export const namesIgnored = ({ area, methods, body }: Pick<Endpoint, 'area' | 'methods'> & OperationInput): boolean =>
  body !== undefined || (area === 'management' && methods.some((method) => method === 'POST' || method === 'PATCH'));

/**
 * The fields of a body that the operation ignores, such as `dailybudget` or `creative.headlin`. In names, spaces, commas, backslashes,
 * and everything outside printable ASCII become \uXXXX, because a comma separates the names.
 * @param readOnly fields of responses that clients send back with a whole object; they are not reported
 */
export function ignoredFields(known: KnownFields, body: unknown, readOnly: readonly string[] = []): string[] {
  const names = new Set<string>();
  collect(known, body, '', (name) => {
    if (!readOnly.includes(name)) names.add(escaped(name));
    return names.size <= MAX_IGNORED_BYTES / 2; // Stop: beyond this, not even one-character names would fit.
  });
  return [...names];
}

/** The names as the value of the header x-ignored-fields. Names that do not fit are replaced by three dots at the end. */
export function ignoredHeader(names: readonly string[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const name of names) {
    const longer = length + name.length + ', '.length;
    if (longer > MAX_IGNORED_BYTES - MORE.length) continue;
    kept.push(name);
    length = longer;
  }
  return [...kept, ...(kept.length < names.length ? [MORE] : [])].join(', ');
}

/** Calls `found` for each unknown field until it returns false. Fields of list items have no index in their names. */
function collect(
  { items, fields }: KnownFields,
  value: unknown,
  prefix: string,
  found: (name: string) => boolean,
): boolean {
  if (Array.isArray(value)) return !items || value.every((item) => collect(items, item, prefix, found));
  if (!fields || typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, member]) => {
    const known = fields.get(name);
    if (!known) return found(`${prefix}${name}`);
    return typeof member !== 'object' || collect(known, member, `${prefix}${name}.`, found);
  });
}

/** Truncates a name to the header's maximum length first: more cannot fit, and escaping takes time. */
const escaped = (name: string): string =>
  escapeUnits(name.slice(0, MAX_IGNORED_BYTES), /[^\x21-\x2b\x2d-\x5b\x5d-\x7e]/g);
