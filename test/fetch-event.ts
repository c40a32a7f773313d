import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type EndpointName, endpointRow } from '../shared/http/operations/endpoints.ts';
import { type App, type LambdaHandler, lambdaHandler } from '../shared/http/runtimes/lambda.ts';

/** Runs an app as a server or a Worker does, from a gateway event. An event that no HTTP request can express uses the Lambda adapter. */
export function fetchHandler(name: EndpointName, app: App): LambdaHandler {
  const adapted = lambdaHandler(name, app);
  return async (event) => {
    const request = toRequest(name, event);
    if (!request) return adapted(event);
    const { requestId, http } = event.requestContext;
    const response = await app.fetch(request, { requestId, sourceIp: http.sourceIp });
    return {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
      isBase64Encoded: false,
    };
  };
}

function toRequest(name: EndpointName, event: APIGatewayProxyEventV2): Request | undefined {
  const { rawPath, pathParameters = {}, rawQueryString, requestContext, headers, body, isBase64Encoded } = event;
  const { method } = requestContext.http;
  if ('authorizer' in requestContext) return undefined;
  if (body !== undefined && (method === 'GET' || method === 'HEAD')) return undefined;
  const { path } = endpointRow(name);
  const target = path?.replaceAll(/\{(\w+)\}/g, (_, one: string) =>
    encodeURIComponent((pathParameters[one] ?? '').toWellFormed()),
  );
  try {
    const url = `https://ads.test${target ?? encodeURI(rawPath)}${rawQueryString && `?${rawQueryString}`}`;
    const sent = body === undefined ? undefined : isBase64Encoded ? Buffer.from(body, 'base64') : body;
    const received = new Headers(
      Object.entries(headers).map(([header, value = '']): [string, string] => [header, value]),
    );
    const isUnchanged = Object.entries(headers).every(([header, value]) => received.get(header) === value);
    return isUnchanged && new URL(url).pathname === (target ?? encodeURI(rawPath))
      ? new Request(url, { method, headers: received, body: sent })
      : undefined;
  } catch {
    return undefined;
  }
}
