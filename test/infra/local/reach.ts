import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Addresses of this machine that only a server on all of them answers: 127.0.0.2 is one on Linux, other systems have none there. */
export const NOT_LOOPBACK: readonly string[] = [
  '127.0.0.2',
  '::1',
  ...Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal, family, scopeid }) => !internal && (family === 'IPv4' || scopeid === 0))
    .map(({ address }) => address),
];

/** Whether something takes connections there; an address that this machine lacks takes none. */
export const takesConnections = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
