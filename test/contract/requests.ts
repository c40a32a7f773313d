import fc, { type Arbitrary } from 'fast-check';
import { unicodeStrings } from '../characters.ts';
import { anyText, bodyFromShape, HOSTILE_SEGMENTS, hostileValue, toJson } from './arbitrary.ts';
import { type ContractRow, fixture, fixtureBody, listFields, rows, toShape, withField } from './rows.ts';

/** An HTTP request. */
export interface HttpRequest {
  /** The operation that the request started as. Mutations may lead to another. */
  row: ContractRow;
  method: string;
  /** Path and query, percent-encoded or not. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
}

type Change = (wire: HttpRequest) => HttpRequest;

/** The fixture of a row: a valid request. */
export function validRequest(row: ContractRow): HttpRequest {
  const { rawPath, rawQueryString, headers, requestContext, body } = fixture(row.name);
  const { host: _, ...sent } = headers;
  return {
    row,
    method: requestContext.http.method,
    target: rawQueryString ? `${rawPath}?${rawQueryString}` : rawPath,
    headers: sent as Record<string, string>,
    body,
  };
}

const withHeader = (name: string, value: string | undefined): Change => {
  return (wire) => {
    const { [name]: _, ...others } = wire.headers;
    return { ...wire, headers: value === undefined ? others : { ...others, [name]: value } };
  };
};
const withText = (body: string): Change => {
  return (wire) => ({ ...withHeader('content-type', 'application/json')(wire), body });
};

/** Bodies that are valid, invalid in up to three places, truncated, not JSON, or too large. */
function bodies(row: ContractRow): Arbitrary<Change> {
  const others = fc.oneof(anyText, fc.constantFrom(' ', 'null', '[]', '{', `"${'x'.repeat(2 ** 20)}"`)).map(withText);
  if (!row.body) return others;
  const shape = toShape(row);
  const whole = fc.oneof(bodyFromShape(shape), fc.constant(fixtureBody(row.name)));
  const fault = fc
    .constantFrom(...listFields(shape))
    .chain((field) => fc.tuple(fc.constant(field.path), hostileValue(field)));
  const broken = fc
    .tuple(whole, fc.array(fault, { minLength: 1, maxLength: 3 }))
    .map(([body, faults]) => toJson(faults.reduce((result, [path, value]) => withField(result, path, value), body)));
  const cut = fc.tuple(whole, fc.nat(400)).map(([body, at]) => JSON.stringify(body).slice(0, at));
  return fc.oneof(
    { weight: 5, arbitrary: broken.map(withText) },
    { weight: 2, arbitrary: whole.map((body) => withText(JSON.stringify(body))) },
    { weight: 1, arbitrary: cut.map(withText) },
    { weight: 1, arbitrary: others },
  );
}

/** Every id of the fixtures. */
const IDS = rows
  .flatMap(({ name }) => Object.values(fixture(name).pathParameters ?? {}))
  .filter((id) => id !== undefined);

/** The value of a header may contain any byte except those that end it. */
const headerText = fc
  .string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 40 })
  .map((text) => text.replaceAll('\x7f', ''));

const HEADERS = [
  ...['x-user-id', 'x-api-key', 'authorization', 'x-debug', 'idempotency-key', 'user-agent', 'referer', 'cookie'],
  ...['accept', 'accept-encoding', 'content-type', 'content-encoding', 'origin', 'purpose', 'sec-purpose'],
  ...[
    'x-forwarded-for',
    'x-forwarded-host',
    'x-http-method-override',
    'x-request-id',
    'if-none-match',
    'range',
    '__proto__',
  ],
];

const headers: Arbitrary<Change> = fc
  .tuple(
    fc.constantFrom(...HEADERS),
    fc.oneof(
      headerText,
      fc.constantFrom(undefined, '', 'true', '0', 'Bearer', 'Bearer x', 'null', 'x'.repeat(129), 'x'.repeat(4_000)),
      fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'multipart/form-data; boundary=x', 'gzip'),
    ),
  )
  .map(([name, value]) => withHeader(name, value));

const methods: Arbitrary<Change> = fc
  .constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE')
  .map(
    (method): Change =>
      (wire) => ({ ...wire, method }),
  );

/** Mutations of a path segment: replace it, insert one before it, remove it, encode it, or capitalize it. */
const MANNERS: ((there: string, other: string) => string[])[] = [
  (_, other) => [other],
  (there, other) => [other, there],
  () => [],
  (there) => [there.replaceAll(/./g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`)],
  (there) => [there.toUpperCase()],
];

const targets: Arbitrary<Change> = fc
  .tuple(
    fc.constantFrom(...MANNERS),
    fc.oneof(
      fc.constantFrom(...HOSTILE_SEGMENTS, ...IDS),
      unicodeStrings(12).map((text) => encodeURIComponent(text.toWellFormed())),
    ),
    fc.nat(8),
  )
  .map(([manner, other, fromEnd]): Change => {
    return (wire) => {
      const [path = '', query] = wire.target.split('?');
      const [root, ...segments] = path.split('/');
      const place = Math.max(0, segments.length - 1 - fromEnd);
      segments.splice(place, 1, ...manner(segments[place] ?? '', other));
      const changed = [root, ...segments].join('/') || '/';
      return { ...wire, target: query === undefined ? changed : `${changed}?${query}` };
    };
  });

const NAMES = ['limit', 'offset', 'status', 'from', 'to', 'api_key', 'userId', 'sessionId', '__proto__', ''];
const VALUES = [
  '0',
  '-1',
  '1e9',
  '1.5',
  'NaN',
  '%00',
  '%F0%9F%98%80',
  '%ZZ',
  '%',
  '9'.repeat(400),
  'active',
  '2026-02-30',
  '[]',
];
const queries: Arbitrary<Change> = fc
  .array(fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...VALUES)), { minLength: 1, maxLength: 3 })
  .map((pairs): Change => {
    const more = pairs.map(([name, value]) => `${name}=${value}`).join('&');
    return (wire) => ({ ...wire, target: wire.target + (wire.target.includes('?') ? '&' : '?') + more });
  });

/** Operations that delete what later requests need. */
const destroys = ({ path, methods }: ContractRow): boolean => methods.includes('DELETE') || !!path?.endsWith('/toggle');

/** Invalid and unusual requests to every operation: its fixture with one to three mutations. */
export const badRequest: Arbitrary<HttpRequest> = fc.oneof(
  ...rows.map((row) => {
    const change = fc.oneof(
      { weight: row.body ? 8 : 1, arbitrary: bodies(row) },
      { weight: 2, arbitrary: headers },
      { weight: 1, arbitrary: methods },
      { weight: 2, arbitrary: targets },
      { weight: 1, arbitrary: queries },
    );
    const changed = fc
      .array(change, { minLength: 1, maxLength: 3 })
      .map((changes) => changes.reduce((wire, apply) => apply(wire), validRequest(row)));
    return { weight: destroys(row) ? 1 : 5, arbitrary: changed };
  }),
);
