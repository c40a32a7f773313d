import type * as z from 'zod';
import type { Area } from '../operations/rows.ts';
import { type Detail, invalid, notJson, tooLarge } from './errors.ts';
import type { HttpRequest } from './operation.ts';

const MOST_BODY_BYTES = 1024 * 1024;
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

const UNCODED = /^\s*(identity)?\s*$/i;
const COMPRESSED = 'Compressed bodies are not supported: send the body without Content-Encoding';
const unread = (area: Area, message: string) => invalid(area, [{ path: '', message }]);

const utf8 = new TextDecoder();

/** Faults that a refusal names: a body of a megabyte may have hundreds of thousands. */
const MOST_DETAILS = 100;

/** The JSON of a body; an empty one reads as `{}`. @throws ApiError 413, 415 or 400 for what is too large, compressed or no JSON */
export async function readJson(request: HttpRequest, area: Area): Promise<unknown> {
  const bytes = await request.bytes();
  if (bytes.byteLength > MOST_BODY_BYTES) throw tooLarge();
  if (bytes.byteLength === 0) return {};
  if (!JSON_TYPE.test(request.headers.get('content-type') ?? '')) throw notJson();
  if (!UNCODED.test(request.headers.get('content-encoding') ?? '')) throw unread(area, COMPRESSED);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw unread(area, 'The body must be valid JSON');
  }
}

/** A query as schemas read it: a list only of what is named more than once. */
export const flatQuery = (all: Record<string, string[]>): Record<string, string | string[]> =>
  Object.fromEntries(Object.entries(all).map(([name, values]) => [name, values.length === 1 ? values[0]! : values]));

/** What the schema makes of a value. @throws ApiError 400 naming each bad field, the first hundred, once, with the first rule that it breaks */
export function parsed<T>(area: Area, schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = new Map<string, Detail>();
  for (const issue of result.error.issues) {
    if (details.size === MOST_DETAILS) break;
    const path = issue.path.join('.');
    const message = path === '' ? 'The body must be a JSON object' : messageOf(issue, value);
    if (!details.has(path)) details.set(path, { path, message });
  }
  throw invalid(area, [...details.values()]);
}

/**
 * What an issue says. Of a field that is missing it says so, and then what it must be: "role must be user or assistant" alone would read
 * as if another role had come.
 */
function messageOf({ path, message }: z.core.$ZodIssue, value: unknown): string {
  const field = String(path.at(-1));
  if (!isMissing(path, value) || message.endsWith(' is required')) return message;
  const isOfList = path.slice(0, -1).some((part) => message.startsWith(`${String(part)} must be`));
  if (isOfList) return message; // which says what all of its members must have
  const rule = `${field} must be `;
  return `${field} is required: ${message.startsWith(rule) ? message.slice(rule.length) : message}`;
}

/** Whether it is an object that lacks the field: what is within a text, such as a native request, is not looked into. */
function isMissing(path: readonly PropertyKey[], value: unknown): boolean {
  const parent = path.slice(0, -1).reduce<unknown>((within, name) => Object(within)[name], value);
  return typeof parent === 'object' && parent !== null && Reflect.get(parent, path.at(-1)!) === undefined;
}
