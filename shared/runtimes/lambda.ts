import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { HttpHandler, HttpRequest, HttpResponse, RequestContext } from '../http/operation.ts';

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

function requestOf(event: APIGatewayProxyEventV2): HttpRequest {
  const { body = '', isBase64Encoded, rawQueryString, requestContext } = event;
  const headers = headersOf(event);
  return {
    method: requestContext.http.method,
    // A URL drops tabs and line ends and ends its query at a #: what stands between them must not grow together.
    url: `https://localhost/?${rawQueryString.replace(/[\t\n\r#]/g, encodeURIComponent)}`,
    headers: { get: (name) => headers.get(name.toLowerCase()) ?? null },
    bytes: async () => Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
}

/** What a header's value cannot be over HTTP: one with a line's end or a zero in it, or a blank at an end. */
const NO_VALUE = /[\0\r\n]|^[\t ]|[\t ]$/;

/**
 * Headers as bytes, which is what they are on the wire, by names in lower case. No value may turn into another: a credential could be
 * mistaken for it. What is none is left out; of HTTP it cannot come.
 */
function headersOf({ headers, cookies }: APIGatewayProxyEventV2): Map<string, string> {
  const all = new Map<string, string>();
  for (const [name, value = ''] of Object.entries(headers)) {
    const bytes = /[^\0-\xff]/.test(value) ? Buffer.from(value).toString('latin1') : value;
    if (!NO_VALUE.test(bytes)) all.set(name.toLowerCase(), bytes);
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

const resultOf = ({ status, headers, body }: HttpResponse): APIGatewayProxyStructuredResultV2 => ({
  statusCode: status,
  headers,
  body: body ?? '',
  isBase64Encoded: false,
});
