import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect } from 'vitest';
import * as z from 'zod';
import { fixture } from '../../events/fixture.ts';
import type { HttpHandlers } from '../../infra/local/functions.ts';
import { type EndpointName, endpointNames, endpointRow } from '../../shared/http/operations/endpoints.ts';
import { getInput, type OperationInput } from '../../shared/http/operations/inputs.ts';
import type { Area, Endpoint } from '../../shared/http/operations/rows.ts';

export type ContractRow = Endpoint & OperationInput & { name: EndpointName };

/** Every row of the operations table. New rows are covered by every test of this folder. */
export const rows: ContractRow[] = endpointNames.map((name) => ({ name, ...endpointRow(name), ...getInput(name) }));
/** The selected rows, by name. */
export const selectRows = (wanted: (row: ContractRow) => unknown): [EndpointName, ContractRow][] =>
  rows.filter(wanted).map((row) => [row.name, row]);

/** The area whose errors unknown paths return. */
export const getArea = (path: string): Area =>
  findRows(path)[0]?.area ??
  (path.startsWith('/api/v1/ssp/') ? 'ssp' : path.startsWith('/api/v1/ad-serving/') ? 'legacy' : 'open');

/** The rows of a path with any method. The path may contain the names of its parameters. */
export const findRows = (path: string): ContractRow[] =>
  rows.filter((row) => row.path && new RegExp(`^${row.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path));

/** The valid request of a row. */
export { fixture };

export const fixtureBody = (name: EndpointName): Record<string, unknown> => JSON.parse(fixture(name).body!);

const CREDENTIALS = ['x-user-id', 'x-api-key', 'authorization'];
const KEY = /ak_(live|test)_[0-9A-Za-z]+/g;

/** The request with other headers; undefined removes one. */
export const withHeaders = (event: APIGatewayProxyEventV2, headers: Record<string, string | undefined>) => ({
  ...event,
  headers: Object.fromEntries(
    Object.entries({ ...event.headers, ...headers }).filter(([, value]) => value !== undefined),
  ) as Record<string, string>,
});

export const withBody = (event: APIGatewayProxyEventV2, body: unknown): APIGatewayProxyEventV2 => ({
  ...withHeaders(event, { 'content-type': 'application/json' }),
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

export const withoutCredential = (event: APIGatewayProxyEventV2) => {
  const bare = withHeaders(event, Object.fromEntries(CREDENTIALS.map((header) => [header, undefined])));
  return { ...bare, rawQueryString: bare.rawQueryString.replace(/api_key=[^&]*/, '') };
};

/** The request with another key, wherever it is sent. */
export const withKey = (event: APIGatewayProxyEventV2, key: string): APIGatewayProxyEventV2 => ({
  ...withHeaders(
    event,
    Object.fromEntries(Object.entries(event.headers).map(([header, value]) => [header, value?.replace(KEY, key)])),
  ),
  rawQueryString: event.rawQueryString.replace(KEY, key),
});

/** The request from another caller: a user id, or a key. */
export const withCaller = (row: ContractRow, event: APIGatewayProxyEventV2, who: { user: string; key: string }) =>
  row.credential === 'owner' ? withHeaders(event, { 'x-user-id': who.user }) : withKey(event, who.key);

/** The request for another id: every path parameter replaced. */
export function withParameters(event: APIGatewayProxyEventV2, replace: (value: string) => string) {
  const parameters = Object.entries(event.pathParameters ?? {}).map(([name, value]) => [name, replace(value!)]);
  let { rawPath } = event;
  for (const [name, value] of parameters) rawPath = rawPath.replace(event.pathParameters![name!]!, () => value!);
  return {
    ...event,
    rawPath,
    pathParameters: Object.fromEntries(parameters),
    requestContext: { ...event.requestContext, http: { ...event.requestContext.http, path: rawPath } },
  };
}

export interface TestResponse {
  status: number;
  headers: Record<string, string>;
  /** The body as sent. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked into freely
  body: any;
}

/** The headers of every response, in addition to the request id. */
export const COMMON_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** Sends an event to a row's handler. Every response has the request id and forbids caching. */
export async function send(
  handlers: HttpHandlers,
  name: EndpointName,
  event: APIGatewayProxyEventV2,
): Promise<TestResponse> {
  const { statusCode = 0, headers = {}, body: text = '' } = await handlers[name](event);
  const lower = Object.fromEntries(
    Object.entries(headers).map(([header, value]) => [header.toLowerCase(), String(value)]),
  );
  expect(lower).toMatchObject({ 'x-request-id': event.requestContext.requestId, ...COMMON_HEADERS });
  return { status: statusCode, headers: lower, text, body: text ? JSON.parse(text) : undefined };
}

/** The error texts of each area (api 1.2). */
const WORDS = {
  invalid: {
    ssp: 'Bad Request',
    legacy: 'Invalid request',
    management: 'Validation failed',
    open: 'Validation failed',
    'trusted-match': undefined, // identified by its code
  },
  notFound: { ssp: 'Not Found', legacy: 'Not found', management: 'Not found', open: 'Not found' },
} as const;

const ORDER = {
  ssp: ['statusCode', 'message', 'error'],
  'trusted-match': ['type', 'request_id', 'code', 'message'],
  other: ['error', 'message', 'statusCode'],
};

/** What every response of the legacy API announces (api 6.1). */
const DEPRECATION = {
  deprecation: expect.stringMatching(/^@\d+$/), // RFC 9745, section 2.1
  link: expect.stringMatching(/^<https?:\/\/.+\/api\/v1\/ssp\/bid>; rel="successor-version"$/),
};

/** Expects a rejection to have exactly the fields of its area in the area's order, with its status in the body except for Trusted Match. */
export function expectRefusal(row: Pick<ContractRow, 'area'>, sent: TestResponse, status: number): void {
  expect(sent.status, sent.text).toBe(status);
  expect(sent.headers['content-type']).toMatch(/^application\/json/);
  expect(sent.headers).toMatchObject(COMMON_HEADERS);
  if (row.area === 'legacy') expect(sent.headers).toMatchObject(DEPRECATION);
  else expect(sent.headers).not.toHaveProperty('deprecation');
  const isTrustedMatch = row.area === 'trusted-match';
  const order = ORDER[row.area === 'ssp' || row.area === 'trusted-match' ? row.area : 'other'];
  const { details } = sent.body;
  expect(Object.keys(sent.body)).toEqual(details ? [...order, 'details'] : order);
  expect(sent.body.statusCode).toBe(isTrustedMatch ? undefined : status);
  if (isTrustedMatch) expect(sent.body).toMatchObject({ type: 'error', request_id: expect.any(String) });
  if (isTrustedMatch && status < 500) expect(sent.body.code).toBe('invalid_request');
  if (status !== 400) return;
  expect(sent.body.error).toBe(WORDS.invalid[row.area]);
  expect(details.length).toBeGreaterThan(0);
  expect(new Set(details.map(({ path }: { path: string }) => path)).size, sent.text).toBe(details.length);
  for (const detail of details) expect(detail).toEqual({ path: expect.any(String), message: expect.any(String) });
  expect(sent.body.message).toBe(row.area === 'ssp' ? 'Validation failed' : details[0].message);
}

/** The subset of JSON Schema that the bodies use. */
export interface Shape {
  type?: string;
  anyOf?: Shape[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

/** Expands a list of types into alternatives, and a reference into what it refers to. */
export function toShape(row: ContractRow): Shape {
  const { $defs = {}, ...root } = z.toJSONSchema(row.body!, { io: 'input', unrepresentable: 'any' });
  const expand = (schema: object): Shape =>
    JSON.parse(JSON.stringify(schema), (_, value) => {
      if (typeof value?.$ref === 'string') return expand($defs[value.$ref.slice('#/$defs/'.length)]!);
      if (!Array.isArray(value?.type)) return value;
      const { type: types, ...rest } = value;
      return { ...rest, anyOf: types.map((type: string) => ({ type })) };
    });
  return expand(root);
}

export interface Field {
  path: (string | number)[];
  types: Set<string>;
  required: boolean;
  shape: Shape;
}

/** Every field of a body with its types, including members of objects and first items of lists. */
export function listFields(shape: Shape, path: Field['path'] = [], required = true): Field[] {
  const alternatives = listAlternatives(shape);
  const types = new Set(alternatives.map(({ type }) => type ?? 'any'));
  const inner = alternatives.flatMap((one) => [
    ...Object.entries(one.properties ?? {}).flatMap(([name, member]) =>
      listFields(member, [...path, name], one.required?.includes(name) ?? false),
    ),
    ...(one.items ? listFields(one.items, [...path, 0]) : []),
  ]);
  return [...(path.length > 0 ? [{ path, types, required, shape }] : []), ...inner];
}

export const listAlternatives = (shape: Shape): Shape[] => shape.anyOf?.flatMap(listAlternatives) ?? [shape];

/** A copy of a body with one field set, creating its parents; undefined removes the field. */
export function withField(body: unknown, [first, ...rest]: Field['path'], value: unknown): unknown {
  if (first === undefined) return value;
  if (typeof first === 'number') {
    const list = Array.isArray(body) ? [...body] : [];
    list[first] = withField(list[first], rest, value);
    return list;
  }
  const object = body && typeof body === 'object' && !Array.isArray(body) ? body : {};
  const { [first]: before, ...others } = object as Record<string, unknown>;
  const after = withField(before, rest, value);
  return after === undefined ? others : { ...others, [first]: after };
}
