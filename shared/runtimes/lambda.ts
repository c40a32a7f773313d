import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { HttpHandler, RequestContext } from '../http/operation.ts';

/** What Lambda calls for a route of API Gateway, with events of payload format 2.0. */
export type LambdaHandler = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/** An operation as Lambda runs it. Nothing else knows API Gateway. */
export const lambdaHandler =
  (handle: HttpHandler): LambdaHandler =>
  async (event) =>
    resultOf(await handle(requestOf(event), contextOf(event)));

/** A request of nothing but its method and path, with what this file reads of an event. */
export function bareEvent(method: string, path: string): APIGatewayProxyEventV2 {
  const http = { method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: '' };
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: '',
    headers: {},
    requestContext: {
      accountId: '',
      apiId: '',
      domainName: 'localhost',
      domainPrefix: '',
      http,
      requestId: 'warm-up',
      routeKey: '$default',
      stage: '$default',
      time: '',
      timeEpoch: 0,
    },
    isBase64Encoded: false,
  };
}

/** Methods that no Request can be made with (Fetch, section 2.2.1, "forbidden method"). They lead to no operation but `unmatched`. */
const FORBIDDEN = /^(CONNECT|TRACE|TRACK)$/i;

function requestOf(event: APIGatewayProxyEventV2): Request {
  const { method } = event.requestContext.http;
  const path = event.rawPath.toWellFormed().split('/').map(encodeURIComponent).join('/');
  // A URL drops tabs and line ends and ends its query at a #: what stands between them must not grow together.
  const query = event.rawQueryString.replace(/[\t\n\r#]/g, encodeURIComponent);
  return new Request(`https://localhost${path}?${query}`, {
    method: FORBIDDEN.test(method) ? 'OPTIONS' : method,
    headers: headersOf(event),
    body: /^(GET|HEAD)$/i.test(method) ? undefined : bodyOf(event),
  });
}

const bodyOf = ({ body, isBase64Encoded }: APIGatewayProxyEventV2) =>
  body && isBase64Encoded ? Buffer.from(body, 'base64') : body;

/**
 * Headers as bytes, which is what they are on the wire. No value may turn into another: a credential could be mistaken for it. What
 * Headers refuses, or would cut blanks off, is none; of HTTP it cannot come.
 */
function headersOf({ headers, cookies }: APIGatewayProxyEventV2): Headers {
  const all = new Headers();
  for (const [name, value = ''] of Object.entries(headers)) {
    const bytes = /[^\0-\xff]/.test(value) ? Buffer.from(value).toString('latin1') : value;
    try {
      all.set(name, bytes);
      if (all.get(name) !== bytes) all.delete(name);
    } catch {}
  }
  if (cookies) all.set('cookie', cookies.join('; '));
  return all;
}

/** What the gateway's authorizers say of a caller they have verified. */
interface Authorizer {
  jwt?: { claims: Record<string, unknown> };
  /** `AROA…:session` for a role, `AIDA…` for a user. */
  iam?: { userId: string };
}

/** The gateway has found the route and its variables; a path read again would be decoded twice. */
function contextOf({ requestContext, rawPath, pathParameters }: APIGatewayProxyEventV2): RequestContext {
  const { authorizer } = requestContext as { authorizer?: Authorizer };
  const subject = authorizer?.jwt?.claims.sub;
  return {
    requestId: requestContext.requestId,
    sourceIp: requestContext.http.sourceIp,
    path: rawPath,
    params: (pathParameters ?? {}) as Record<string, string>,
    verified: {
      jwt: typeof subject === 'string' ? subject : undefined,
      iam: authorizer?.iam?.userId.split(':')[0],
    },
  };
}

const TEXT = /^text\/|[/+](json|xml)\s*(;|$)/i;

async function resultOf(response: Response): Promise<APIGatewayProxyStructuredResultV2> {
  const { 'set-cookie': _, ...headers } = Object.fromEntries(response.headers);
  const cookies = response.headers.getSetCookie();
  const isText = TEXT.test(headers['content-type'] ?? 'text/plain') && !headers['content-encoding'];
  return {
    statusCode: response.status,
    headers,
    ...(cookies.length > 0 && { cookies }),
    body: isText ? await response.text() : Buffer.from(await response.arrayBuffer()).toString('base64'),
    isBase64Encoded: !isText,
  };
}
