import { createServer, type Server } from 'node:net';

/** The only address that stand-ins listen on, even if the server listens elsewhere: they do not authenticate callers. */
export const LOOPBACK = '127.0.0.1';

/** The port of a listening server. */
export function getPort(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen on a port');
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
