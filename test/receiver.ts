import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterAll } from 'vitest';

interface ReceivedRequest {
  headers: Record<string, string>;
  body: string;
}

export interface TestReceiver {
  url: string;
  port: number;
  /** The requests received, in order. */
  requests: ReceivedRequest[];
  /** The number of connections ever made, and of open ones. */
  connections: { total: number; open: number };
  close(): Promise<void>;
}

const watch = (server: Server, connections: TestReceiver['connections'], open: Set<Socket>) =>
  server.on('connection', (socket) => {
    connections.total++;
    connections.open++;
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      connections.open--;
      open.delete(socket);
    });
  });

async function listening(
  server: Server,
  requests: ReceivedRequest[],
  port: number,
  host: string,
): Promise<TestReceiver> {
  const connections = { total: 0, open: 0 };
  const open = new Set<Socket>();
  watch(server, connections, open).listen(port, host);
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  const close = async () => {
    for (const socket of open) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  afterAll(close);
  return { url: `http://${host}:${bound}/hook`, port: bound, requests, connections, close };
}

/** A webhook receiver on this machine with configurable responses. Closes after the tests of the file. */
export function startReceiver(
  answer: (response: ServerResponse, request: ReceivedRequest, raw: IncomingMessage) => void = (response) =>
    response.end(),
  { port = 0, host = '127.0.0.1' } = {},
): Promise<TestReceiver> {
  const requests: ReceivedRequest[] = [];
  // The client closes its keep-alive connections.
  const server = createServer({ keepAliveTimeout: 600_000 }, async (raw, response) => {
    let body = '';
    for await (const chunk of raw.setEncoding('utf8')) body += chunk;
    const request = { headers: raw.headers as Record<string, string>, body };
    requests.push(request);
    answer(response, request, raw);
  });
  return listening(server, requests, port, host);
}

/** A receiver at the TCP level that controls its connections. */
export const startTcpReceiver = (act: (socket: Socket) => void): Promise<TestReceiver> => {
  const server = createTcpServer((socket) => {
    act(socket);
    socket.resume(); // otherwise the end of the connection goes unnoticed
  });
  return listening(server, [], 0, '127.0.0.1');
};
