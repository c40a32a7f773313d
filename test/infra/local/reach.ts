import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Addresses of this machine that reach only a server on all interfaces. 127.0.0.2 works on Linux only. */
export const NOT_LOOPBACK: readonly string[] = [
  '127.0.0.2',
  '::1',
  ...Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal, family, scopeid }) => !internal && (family === 'IPv4' || scopeid === 0))
    .map(({ address }) => address),
];

/** Whether a server accepts connections at this address. */
export const takesConnections = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
