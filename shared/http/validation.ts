import { zValidator } from '@hono/zod-validator';
import { createMiddleware } from 'hono/factory';
import type * as z from 'zod';
import type { AppContext, AppEnv } from './env.ts';
import { type ApiError, type Detail, invalid, notJson } from './errors.ts';
import { ignoredFields, ignoredHeader, type KnownFields, knownTo } from './ignored-fields.ts';
import type { Area, Endpoint } from './operations/rows.ts';

/** Maximum faults in one response. A body of a megabyte can have hundreds of thousands. */
const MAX_DETAILS = 100;
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/** Validates the query, which the handler reads as `c.req.valid('query')`. @throws ApiError 400 */
export const query = <S extends z.ZodType>({ area }: Pick<Endpoint, 'area'>, schema: S) =>
  zValidator('query', schema, (result) => {
    if (!result.success) throw toRefusal(area, result.error, result.data);
  });

/** Validates the JSON body, which the handler reads as `c.req.valid('json')`. @throws ApiError 415 or 400 */
export const jsonBody = <S extends z.ZodType>(row: Pick<Endpoint, 'area' | 'readOnly'>, schema: S) =>
  [
    readableBody,
    nameIgnoredFields(knownTo(schema), row.readOnly),
    zValidator('json', schema, (result) => {
      if (!result.success) throw toRefusal(row.area, result.error, result.data);
    }),
  ] as const;

/** For operations without a body: accepts any body, and reports all its fields as ignored. */
export const ignoreBody = ({ readOnly }: Endpoint) => nameIgnoredFields({ fields: new Map() }, readOnly);

/** Validates a body outside `jsonBody`, for responses that are sent before it runs. @throws ApiError 415 or 400 */
export async function checkBody(c: AppContext, area: Area, schema: z.ZodType): Promise<void> {
  const text = await c.req.text();
  const fault = bodyFault(c, text);
  if (fault) throw fault;
  const json = text === '' ? {} : await c.req.json().catch(() => Promise.reject(notReadable(area)));
  const result = schema.safeParse(json);
  if (!result.success) throw toRefusal(area, result.error, json);
}

/** Rejects a body that is not JSON. Removes the content type of an empty body, because the validator then reads it as `{}`. */
const readableBody = createMiddleware<AppEnv>(async (c, next) => {
  const text = await c.req.text();
  const fault = bodyFault(c, text);
  if (fault) throw fault;
  if (text === '') {
    const headers = new Headers(c.req.raw.headers);
    headers.delete('content-type');
    c.req.raw = new Request(c.req.url, { method: c.req.method, headers });
  }
  await next();
});

function bodyFault(c: AppContext, text: string): ApiError | undefined {
  if (text === '') return undefined;
  return JSON_TYPE.test(c.req.header('content-type') ?? '') ? c.var.bodyFault : notJson();
}

/** 400 for a body that is not JSON. The parser's own message quotes the body, so it must not be logged or returned. */
export const notReadable = (area: Area): ApiError =>
  invalid(area, [{ path: '', message: 'The body must be valid JSON' }]);

const nameIgnoredFields = (known: KnownFields, readOnly?: readonly string[]) =>
  createMiddleware<AppEnv>(async (c, next) => {
    nameIgnored(c, ignoredFields(known, await c.req.json().catch(() => ({})), readOnly));
    await next();
  });

/** Adds fields to the header x-ignored-fields. */
export function nameIgnored(c: Pick<AppContext, 'var' | 'header'>, fields: readonly string[]): void {
  const { ignored } = c.var;
  ignored.unshift(...fields);
  if (ignored.length > 0) c.header('x-ignored-fields', ignoredHeader(ignored));
}

/** 400 that lists each invalid field once, with the first rule that it breaks. Lists at most `MAX_DETAILS` fields. */
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
 * The message of an issue. For a missing field it begins with "is required": "role must be user or assistant" would suggest that another
 * role was sent.
 */
function getMessage({ path, message }: z.core.$ZodIssue, value: unknown): string {
  const field = String(path.at(-1));
  if (!isMissing(path, value) || message.endsWith(' is required')) return message;
  const isOfList = path.slice(0, -1).some((part) => message.startsWith(`${String(part)} must be`));
  if (isOfList) return message; // The message already describes every item.
  const rule = `${field} must be `;
  return `${field} is required: ${message.startsWith(rule) ? message.slice(rule.length) : message}`;
}

/** Whether the parent object lacks the field. False inside a native request, which is JSON in a string. */
function isMissing(path: readonly PropertyKey[], value: unknown): boolean {
  const parent = path.slice(0, -1).reduce<unknown>((within, name) => Object(within)[name], value);
  return typeof parent === 'object' && parent !== null && Reflect.get(parent, path.at(-1)!) === undefined;
}
