import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Caller } from '../env.ts';
import { type EndpointName, endpointRow } from '../operations/endpoints.ts';

/** A Lambda handler for API Gateway events of payload format 2.0. */
export type LambdaHandler = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/** The app of an operation. */
export interface App {
  fetch(request: Request, caller: Caller): Response | Promise<Response>;
}

/**
 * Runs an app in Lambda. `hono/aws-lambda` is not used: it is deprecated, turns a non-ASCII header into a different valid one, drops
 * empty headers, decodes paths twice, and answers a GET with a body with its own error.
 */
export const lambdaHandler =
  (name: EndpointName, app: App): LambdaHandler =>
  async (event) => {
    const response = await app.fetch(toRequest(name, event), toCaller(event));
    return {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
      isBase64Encoded: false,
    };
  };

function toRequest(name: EndpointName, event: APIGatewayProxyEventV2): Request {
  const { requestContext, rawQueryString, isBase64Encoded, body } = event;
  const method = toMethod(requestContext.http.method);
  const url = new URL(`https://localhost${getPath(name, event)}`);
  // A URL drops tabs and line ends, which would join the text around them, and its query ends at a #.
  url.search = rawQueryString.replace(/[\t\n\r#]/g, encodeURIComponent);
  const headers = toHeaders(event);
  if (body === undefined || method === 'GET' || method === 'HEAD') return new Request(url, { method, headers });
  const sent = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  headers.set('content-length', String(sent.length)); // read by the body limit
  if (!isBase64Encoded && isDecompressed(headers, body)) headers.delete('content-encoding');
  return new Request(url, { method, headers, body: sent });
}

/**
 * Whether the gateway has decompressed a body but kept its `Content-Encoding`, as REST APIs do. Compressed bytes are no text: a gateway that
 * passes them on as such has destroyed them, and they still begin like gzip.
 */
const isDecompressed = (headers: Headers, text: string): boolean =>
  /^(x-)?gzip$/i.test(headers.get('content-encoding') ?? '') && !text.startsWith('\x1f');

/** `Request` rejects these methods. No operation has them, so like any other unknown method they must get a 405. */
const toMethod = (method: string): string => (/^(CONNECT|TRACE|TRACK)$/i.test(method) ? 'OPTIONS' : method);

/** Encodes the path again, because the gateway has decoded it and Hono decodes it once more. */
function getPath(name: EndpointName, { rawPath, pathParameters = {} }: APIGatewayProxyEventV2): string {
  const { path } = endpointRow(name);
  const encode = (text: string) => encodeURIComponent(DOTS.test(text) ? NO_ID : text.toWellFormed());
  return path === null
    ? rawPath.split('/').map(encode).join('/')
    : path.replaceAll(/\{(\w+)\}/g, (_, variable: string) => encode(pathParameters[variable] ?? ''));
}

/** A URL would resolve these segments away. They are never valid ids, so another unknown id replaces them. */
const DOTS = /^\.\.?$/;
const NO_ID = '-';

/** Values that a header cannot have over HTTP: with a line end or NUL, or with a space or tab at either end. */
const NO_VALUE = /[\0\r\n]|^[\t ]|[\t ]$/;

/** Converts header values to bytes, as they are on the wire. Otherwise one value, such as a credential, could turn into another. */
function toHeaders({ headers, cookies }: APIGatewayProxyEventV2): Headers {
  const all = new Headers();
  for (const [name, value = ''] of Object.entries(headers)) {
    const bytes = /[^\0-\xff]/.test(value) ? Buffer.from(value).toString('latin1') : value;
    if (!NO_VALUE.test(bytes)) all.set(name, bytes);
  }
  if (cookies) all.set('cookie', cookies.join('; '));
  return all;
}

/** What the gateway's authorizers pass on about a verified caller. */
interface Authorizer {
  jwt?: { claims: Record<string, unknown> };
  /** `AROA…:session` for a role, `AIDA…` for a user. */
  iam?: { userId: string };
}

function toCaller({ requestContext }: APIGatewayProxyEventV2): Caller {
  const { jwt, iam }: Authorizer = 'authorizer' in requestContext ? Object(requestContext.authorizer) : {};
  const subject = jwt?.claims.sub;
  return {
    requestId: requestContext.requestId,
    sourceIp: requestContext.http.sourceIp,
    verified: { jwt: typeof subject === 'string' ? subject : undefined, iam: iam?.userId.split(':')[0] },
  };
}
