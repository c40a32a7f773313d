import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { NEVER_KEPT } from '../../shared/http/response.ts';
import { type EndpointName, endpointRow } from '../../shared/operations/endpoints.ts';
import { decode, findRoute } from '../../shared/runtimes/route.ts';
import type { Site } from '../site/serve.ts';
import type { HttpHandlers } from './functions.ts';
import { LOOPBACK, portOf } from './port.ts';
import { StartError } from './start-error.ts';

/** Headers of what the gateway answers by itself. */
const OWN_HEADERS = { 'content-type': 'application/json', ...NEVER_KEPT };

/** API Gateway's own limit on a payload. */
const MOST_BYTES = 10 * 1024 * 1024;
const TEXT = /^(text\/|application\/([\w.-]+\+)?(json|xml)|application\/x-www-form-urlencoded)/i;

/**
 * What API Gateway does in the cloud, on one machine: finds the route, turns the request into an event of payload
 * format 2.0, calls the handler, and turns its result into the response. Where no operation answers, a file of the site may.
 */
export function createGateway(handlers: HttpHandlers, now: () => number, site: Site = () => undefined): Server {
  return createServer(async (request, response) => {
    try {
      const body = await read(request);
      if (body === undefined) {
        response.writeHead(413, { ...OWN_HEADERS, connection: 'close' }).end('{"message":"Request Entity Too Large"}');
        return;
      }
      const { event, name } = toEvent(request, body, now());
      const file = name === 'unmatched' && isRead(request) ? site(fileRequest(event)) : undefined;
      await reply(request, response, file ?? (await handlers[name](event)));
    } catch (error) {
      console.error(error);
      if (!response.headersSent) response.writeHead(500, OWN_HEADERS);
      response.end('{"message":"Internal Server Error"}');
    }
  });
}

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

const fileRequest = ({ rawPath, headers }: APIGatewayProxyEventV2) => ({
  path: rawPath,
  header: (name: string) => headers[name],
});

/** Listens; resolves to the port. @throws StartError when it is taken, or the host is not this machine's */
export const listen = (server: Server, port: number, host = LOOPBACK): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const inUse = `PORT=${port} is in use: stop what listens there, or choose another, e.g. PORT=3001`;
      const foreign = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code!);
      const cannot = `${foreign ? `HOST=${host}` : `PORT=${port}`} cannot be used: ${message}`;
      reject(new StartError(code === 'EADDRINUSE' ? inUse : cannot));
    });
    server.listen(port, host, () => resolve(portOf(server)));
  });

async function read(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toEvent(
  request: IncomingMessage,
  body: Buffer,
  now: number,
): { event: APIGatewayProxyEventV2; name: EndpointName } {
  const method = request.method ?? 'GET';
  const [path = '/', rawQueryString = ''] = split(request.url ?? '/');
  const { name, parameters } = findRoute(method, path);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([header, value]) => [
      header,
      Array.isArray(value) ? value.join(',') : (value ?? ''),
    ]),
  );
  const binary = body.length > 0 && !TEXT.test(headers['content-type'] ?? 'text/plain');
  const query = Object.fromEntries(new URLSearchParams(rawQueryString));
  const event: APIGatewayProxyEventV2 = {
    version: '2.0',
    routeKey: name === 'unmatched' ? '$default' : `${method} ${endpointRow(name).path}`,
    rawPath: decode(path),
    rawQueryString,
    headers,
    ...(rawQueryString && { queryStringParameters: query }),
    ...(Object.keys(parameters).length > 0 && { pathParameters: parameters }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: 'localhost',
      domainPrefix: 'localhost',
      http: {
        method,
        path: decode(path),
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: (request.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey: '$default',
      stage: '$default',
      time: new Date(now).toUTCString(),
      timeEpoch: now,
    },
    ...(body.length > 0 && { body: body.toString(binary ? 'base64' : 'utf8') }),
    isBase64Encoded: binary,
  };
  return { event, name };
}

function split(url: string): [string, string] {
  const at = url.indexOf('?');
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

async function reply(
  request: IncomingMessage,
  response: ServerResponse,
  result: Awaited<ReturnType<HttpHandlers['health']>>,
) {
  response.statusCode = result.statusCode ?? 200;
  for (const [header, value] of Object.entries(result.headers ?? {})) response.setHeader(header, String(value));
  if (result.cookies) response.setHeader('set-cookie', result.cookies);
  if (request.method === 'HEAD') return response.end();
  const body = Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8');
  response.setHeader('content-length', body.length);
  response.end(body);
}
