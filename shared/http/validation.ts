import { zValidator } from '@hono/zod-validator';
import { createMiddleware } from 'hono/factory';
import type * as z from 'zod';
import type { AppContext, AppEnv } from './env.ts';
import { type ApiError, type Detail, invalid, notJson } from './errors.ts';
import { ignoredFields, ignoredHeader, type KnownFields, knownTo } from './ignored-fields.ts';
import type { Area, Endpoint } from './operations/rows.ts';

/** Faults that a refusal names: a body of a megabyte may have hundreds of thousands. */
const MAX_DETAILS = 100;
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;
const UNCODED = /^\s*(identity)?\s*$/i;
const COMPRESSED = 'Compressed bodies are not supported: send the body without Content-Encoding';

/** The query of a request, valid by its schema: `c.req.valid('query')`. @throws ApiError 400 */
export const query = <S extends z.ZodType>({ area }: Pick<Endpoint, 'area'>, schema: S) =>
  zValidator('query', schema, (result) => {
    if (!result.success) throw toRefusal(area, result.error, result.data);
  });

/** The JSON body of a request, valid by its schema: `c.req.valid('json')`. @throws ApiError 415 or 400 */
export const jsonBody = <S extends z.ZodType>(row: Pick<Endpoint, 'area' | 'readOnly'>, schema: S) =>
  [
    readableBody(row.area),
    nameIgnoredFields(knownTo(schema), row.readOnly),
    zValidator('json', schema, (result) => {
      if (!result.success) throw toRefusal(row.area, result.error, result.data);
    }),
  ] as const;

/** Names the fields of a body that the operation does not read; any body is fine. */
export const ignoreBody = ({ readOnly }: Endpoint) => nameIgnoredFields({ fields: new Map() }, readOnly);

/** Refuses a bad body; for answers that are given before the body's own validation. @throws ApiError 415 or 400 */
export async function checkBody(c: AppContext, area: Area, schema: z.ZodType): Promise<void> {
  const text = await c.req.text();
  const fault = bodyFault(c, area, text);
  if (fault) throw fault;
  const json = text === '' ? {} : await c.req.json().catch(() => Promise.reject(notReadable(area)));
  const result = schema.safeParse(json);
  if (!result.success) throw toRefusal(area, result.error, json);
}

/** Refuses a body that cannot be read as JSON. An empty one loses its content type, so that the validator reads it as `{}`. */
const readableBody = (area: Area) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const text = await c.req.text();
    const fault = bodyFault(c, area, text);
    if (fault) throw fault;
    if (text === '') {
      const headers = new Headers(c.req.raw.headers);
      headers.delete('content-type');
      c.req.raw = new Request(c.req.url, { method: c.req.method, headers });
    }
    await next();
  });

function bodyFault(c: AppContext, area: Area, text: string): ApiError | undefined {
  if (text === '') return undefined;
  if (!JSON_TYPE.test(c.req.header('content-type') ?? '')) return notJson();
  return UNCODED.test(c.req.header('content-encoding') ?? '')
    ? undefined
    : invalid(area, [{ path: '', message: COMPRESSED }]);
}

/** A body that is not JSON. The error of the parser quotes the body, so it goes no further. */
export const notReadable = (area: Area): ApiError =>
  invalid(area, [{ path: '', message: 'The body must be valid JSON' }]);

const nameIgnoredFields = (known: KnownFields, readOnly?: readonly string[]) =>
  createMiddleware<AppEnv>(async (c, next) => {
    nameIgnored(c, ignoredFields(known, await c.req.json().catch(() => ({})), readOnly));
    await next();
  });

/** Adds fields to those that the header x-ignored-fields names. */
export function nameIgnored(c: Pick<AppContext, 'var' | 'header'>, fields: readonly string[]): void {
  const { ignored } = c.var;
  ignored.unshift(...fields);
  if (ignored.length > 0) c.header('x-ignored-fields', ignoredHeader(ignored));
}

/** 400 naming each bad field once, with the first rule that it breaks; at most the first hundred. */
function toRefusal(area: Area, error: z.core.$ZodError, value: unknown): ApiError {
  const details = new Map<string, Detail>();
  for (const issue of error.issues) {
    if (details.size === MAX_DETAILS) break;
    const path = issue.path.join('.');
    const message = path === '' ? 'The body must be a JSON object' : getMessage(issue, value);
    if (!details.has(path)) details.set(path, { path, message });
  }
  return invalid(area, [...details.values()]);
}

/**
 * What an issue says. For a missing field it first says that the field is required: "role must be user or assistant" alone reads as if
 * another role had been sent.
 */
function getMessage({ path, message }: z.core.$ZodIssue, value: unknown): string {
  const field = String(path.at(-1));
  if (!isMissing(path, value) || message.endsWith(' is required')) return message;
  const isOfList = path.slice(0, -1).some((part) => message.startsWith(`${String(part)} must be`));
  if (isOfList) return message; // it already says what every item must have
  const rule = `${field} must be `;
  return `${field} is required: ${message.startsWith(rule) ? message.slice(rule.length) : message}`;
}

/** Whether the value is an object that lacks the field. A native request is JSON within a text, which is not looked into. */
function isMissing(path: readonly PropertyKey[], value: unknown): boolean {
  const parent = path.slice(0, -1).reduce<unknown>((within, name) => Object(within)[name], value);
  return typeof parent === 'object' && parent !== null && Reflect.get(parent, path.at(-1)!) === undefined;
}
