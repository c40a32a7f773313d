import { createServer, type Server } from 'node:net';

/** The only address that stand-ins listen on, wherever the server does: they ask nobody who they are. */
export const LOOPBACK = '127.0.0.1';

/** The port of a server that listens. */
export function getPort(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server listens on no port');
  return address.port;
}

export const findFreePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, LOOPBACK, () => {
      const port = getPort(server);
      server.close(() => resolve(port));
    });
  });
