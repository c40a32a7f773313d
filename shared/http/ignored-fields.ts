import type { z } from 'zod';
import { escapeUnits } from '../platform/values/characters.ts';
import type { OperationInput } from './operations/inputs.ts';
import type { Endpoint } from './operations/rows.ts';

/** Bytes that the header x-ignored-fields may have. */
const MAX_IGNORED_BYTES = 1_000;
/** Ends the header when there are more than fit. */
const MORE = '...';

/** The names that a schema knows: of an object's fields, of a list's items; neither where nothing of a value is looked into. */
export interface KnownFields {
  fields?: ReadonlyMap<string, KnownFields>;
  items?: KnownFields;
}

/** A schema is told by its `def`: its class would bring all of zod to functions that have no schema. */
export function knownTo(schema: z.core.$ZodType): KnownFields {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional' || def.type === 'nullable' || def.type === 'default') return knownTo(def.innerType);
  if (def.type === 'array') return { items: knownTo(def.element) };
  if (def.type !== 'object') return {};
  return { fields: new Map(Object.entries(def.shape).map(([name, member]) => [name, knownTo(member)])) };
}

/** Whether what an operation ignores of a body is named: if it reads one, or a manager may take it for one that does. */
export const namesIgnored = ({ area, methods, body }: Pick<Endpoint, 'area' | 'methods'> & OperationInput): boolean =>
  body !== undefined || (area === 'management' && methods.some((method) => method === 'POST' || method === 'PATCH'));

/**
 * The fields of a body that nothing reads: `dailybudget`, `creative.headlin`. Names may be any text: what is no printable ASCII, blanks,
 * commas and backslashes are written as \uXXXX, so that a comma parts names alone.
 * @param readOnly fields of the answer that may come back with a whole object and cannot be set
 */
export function ignoredFields(known: KnownFields, body: unknown, readOnly: readonly string[] = []): string[] {
  const names = new Set<string>();
  collect(known, body, '', (name) => {
    if (!readOnly.includes(name)) names.add(escaped(name));
    return names.size <= MAX_IGNORED_BYTES / 2; // of the shortest names more would not fit
  });
  return [...names];
}

/** These names as the value of the header x-ignored-fields; empty when there are none. What does not fit is left out, and dots say so. */
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

/** Tells `found` of each unknown field, until it wants no more. Those of a list's items are named once, without their place in it. */
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

/** A name that is longer than the header is cut: it does not fit in any case. */
const escaped = (name: string): string =>
  escapeUnits(name.slice(0, MAX_IGNORED_BYTES), /[^\x21-\x2b\x2d-\x5b\x5d-\x7e]/g);
