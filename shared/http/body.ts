import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { MiddlewareHandler } from 'hono';
import { validator } from 'hono/validator';
import type { ZodType } from 'zod';
import type { Area } from '../operations/endpoints.ts';
import { type Detail, invalid, notJson, tooLarge } from './errors.ts';
import { ignoredFields } from './ignored.ts';
import type { Carried } from './responder.ts';

const MOST_BYTES = 1024 * 1024;
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/** An empty body reads as `{}` (api 1.1). */
const withBody = (event: APIGatewayProxyEventV2): APIGatewayProxyEventV2 =>
  event.body
    ? event
    : {
        ...event,
        body: '{}',
        isBase64Encoded: false,
        headers: { ...event.headers, 'content-type': 'application/json' },
      };

/** Methods that no Request can be made with (Fetch, section 2.2.1, "forbidden method"). */
const FORBIDDEN = /^(CONNECT|TRACE|TRACK)$/i;

/**
 * What Hono can make a Request of: it builds the URL from the header Host, which may hold anything, and Fetch refuses some
 * methods, and bodies with GET. Only operations with a body read one; forbidden methods lead to no operation but the last.
 */
export function fetchable(event: APIGatewayProxyEventV2, takesBody: boolean): APIGatewayProxyEventV2 {
  const { host: _, ...headers } = event.headers;
  const { http } = event.requestContext;
  const method = FORBIDDEN.test(http.method) ? 'OPTIONS' : http.method;
  const plain = { ...event, headers, requestContext: { ...event.requestContext, http: { ...http, method } } };
  return takesBody ? withBody(plain) : { ...plain, body: undefined };
}

/** Refuses what is too large (413) or not JSON by its own word (415). */
export const checkBody: MiddlewareHandler = async (c, next) => {
  if ((await c.req.arrayBuffer()).byteLength > MOST_BYTES) throw tooLarge();
  if (!JSON_TYPE.test(c.req.header('content-type') ?? '')) throw notJson();
  await next();
};

/** What the schema makes of a value. @throws ApiError 400 naming each bad field, once, with the first rule that it breaks */
function parsed<T>(area: Area, schema: ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = new Map<string, Detail>();
  for (const issue of result.error.issues) {
    const path = issue.path.join('.');
    const message = path === '' ? 'The body must be a JSON object' : issue.message;
    if (!details.has(path)) details.set(path, { path, message });
  }
  throw invalid(area, [...details.values()]);
}

export const validateQuery = (area: Area, schema: ZodType): MiddlewareHandler =>
  validator('query', (value) => parsed(area, schema, value));

/** Validates a body, and notes which of its fields nothing reads: the answer names them. */
export const validateBody = (area: Area, schema: ZodType, readOnly?: readonly string[]): MiddlewareHandler<Carried> =>
  validator('json', (value, c) => {
    c.set('ignored', ignoredFields(schema, value, readOnly));
    return parsed(area, schema, value);
  });
