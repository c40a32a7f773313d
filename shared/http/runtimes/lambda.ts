import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Caller } from '../env.ts';
import { type EndpointName, endpointRow } from '../operations/endpoints.ts';

/** What Lambda calls for a route of API Gateway, with events of payload format 2.0. */
export type LambdaHandler = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/** The app of an operation, as runtimes use it. */
export interface App {
  fetch(request: Request, caller: Caller): Response | Promise<Response>;
}

/**
 * An app as Lambda runs it. `hono/aws-lambda` is not used: it is deprecated, turns a header that is not ASCII into another valid one,
 * drops empty headers, decodes paths twice, and answers a GET with a body in its own words.
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
  // A URL drops tabs and line ends, and ends its query at a #: the text on either side must not grow together.
  url.search = rawQueryString.replace(/[\t\n\r#]/g, encodeURIComponent);
  const headers = toHeaders(event);
  if (body === undefined || method === 'GET' || method === 'HEAD') return new Request(url, { method, headers });
  const sent = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  headers.set('content-length', String(sent.length)); // what the body limit looks at
  return new Request(url, { method, headers, body: sent });
}

/** Methods that no Request may have. No operation has them either, and all such methods are answered alike: 405. */
const toMethod = (method: string): string => (/^(CONNECT|TRACE|TRACK)$/i.test(method) ? 'OPTIONS' : method);

/** The gateway has decoded the path and its variables, and Hono decodes a path once more. */
function getPath(name: EndpointName, { rawPath, pathParameters = {} }: APIGatewayProxyEventV2): string {
  const { path } = endpointRow(name);
  const encode = (text: string) => encodeURIComponent(DOTS.test(text) ? NO_ID : text.toWellFormed());
  return path === null
    ? rawPath.split('/').map(encode).join('/')
    : path.replaceAll(/\{(\w+)\}/g, (_, variable: string) => encode(pathParameters[variable] ?? ''));
}

/** A URL would drop a segment of dots and name another path. No id is one, so any other unknown id stands for it. */
const DOTS = /^\.\.?$/;
const NO_ID = '-';

/** What the value of a header cannot be over HTTP: it has a line end or a zero in it, or a blank at an end. */
const NO_VALUE = /[\0\r\n]|^[\t ]|[\t ]$/;

/** Headers as bytes, which is what they are on the wire: no value may turn into another, a credential for example. */
function toHeaders({ headers, cookies }: APIGatewayProxyEventV2): Headers {
  const all = new Headers();
  for (const [name, value = ''] of Object.entries(headers)) {
    const bytes = /[^\0-\xff]/.test(value) ? Buffer.from(value).toString('latin1') : value;
    if (!NO_VALUE.test(bytes)) all.set(name, bytes);
  }
  if (cookies) all.set('cookie', cookies.join('; '));
  return all;
}

/** What the gateway's authorizers say of a caller that they have verified. */
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
