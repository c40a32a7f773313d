import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { decode, findRoute } from '../../shared/http/runtimes/route.ts';
import type { Site } from '../site/serve.ts';
import { StartError } from './command.ts';
import type { Apps } from './functions.ts';
import { getPort, LOOPBACK } from './port.ts';

/** An incomplete request gets 408 after this time. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Serves all apps over HTTP: routes each request by the table of operations. Paths without an operation may be files of the site. */
export function createGateway(apps: Apps, site: Site = () => undefined): Server {
  const server = createAdaptorServer({
    serverOptions: { requestTimeout: REQUEST_TIMEOUT_MS },
    async fetch(request, { incoming }) {
      const { pathname } = new URL(request.url);
      const name = findRoute(request.method, pathname);
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      // The body of a GET has no meaning, but closing a connection with unread bytes would discard the response.
      if (isRead && request.headers.has('content-length')) await once(incoming.resume(), 'end');
      const file =
        name === 'unmatched' && isRead
          ? site({ path: decode(pathname), header: (header) => request.headers.get(header) ?? undefined })
          : undefined;
      if (file) return toResponse(file);
      return apps[name].fetch(request, { requestId: randomUUID(), sourceIp: getAddress(incoming) });
    },
  });
  return server as Server;
}

function toResponse({ statusCode, headers, body = '', isBase64Encoded }: NonNullable<ReturnType<Site>>): Response {
  return new Response(isBase64Encoded ? Buffer.from(body, 'base64') : body, { status: statusCode, headers });
}

const getAddress = ({ socket }: Pick<IncomingMessage, 'socket'>): string =>
  (socket.remoteAddress ?? '').replace(/^::ffff:/, '');

/** Starts to listen. Returns the port. @throws StartError if the port is in use, or the host is not an address of this machine */
export const listen = (server: Server, port: number, host = LOOPBACK): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const inUse = `PORT=${port} is in use: stop the program that listens there, or choose another port, e.g. PORT=3001`;
      const foreign = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code!);
      const cannot = `${foreign ? `HOST=${host}` : `PORT=${port}`} cannot be used: ${message}`;
      reject(new StartError(code === 'EADDRINUSE' ? inUse : cannot));
    });
    server.listen(port, host, () => resolve(getPort(server)));
  });
