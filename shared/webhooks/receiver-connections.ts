import type { LookupAddress } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import { MINUTE_MS } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import { resolveReceiver } from './receiver-url.ts';

/** A connection to a receiver, open or being opened. Its client never opens a second one. */
export interface ReceiverConnection {
  origin: string;
  client: Client;
  socket?: Socket;
  /** Whether it has completed a request. */
  isUsed: boolean;
  /** Epoch milliseconds. */
  keptUntil: number;
}

/** How long an idle connection is kept. Servers commonly close one after five seconds. */
const KEPT_MS = 4_000;
/** Idle connections kept at the same time, over all receivers. */
const MAX_CONNECTIONS = 64;

/**
 * Pools connections to receivers. Every request resolves the name, checks the addresses, and connects to one of them, so a receiver's
 * owner cannot reach an internal address. A pooled connection is reused only if the name still resolves to its address. A connection
 * serves one request at a time, so no receiver waits for another.
 */
export function createReceiverConnections(effects: Pick<Effects, 'config' | 'clock' | 'resolve'>) {
  const { config, clock } = effects;
  const pool = new Set<ReceiverConnection>();

  function takePooled(origin: string, addresses: readonly LookupAddress[] | undefined): ReceiverConnection | undefined {
    const now = clock.now();
    for (const one of pool) {
      if (one.keptUntil <= now || !isOpen(one)) end(one);
      else if (one.origin === origin && isConnectedTo(one, addresses)) {
        pool.delete(one);
        return one;
      }
    }
    return undefined;
  }

  function open(origin: string, addresses: LookupAddress[] | undefined): ReceiverConnection {
    const { webhookTimeoutMs: timeout } = config;
    const lookup = addresses && createLookup(addresses);
    const connector = buildConnector({ lookup, allowH2: false, maxCachedSessions: 0, timeout });
    const client = new Client(origin, {
      keepAliveTimeout: KEPT_MS,
      keepAliveMaxTimeout: MINUTE_MS, // for receivers that send a Keep-Alive header
      connect: (options, callback) => {
        if (connection.socket) callback(new Error('The connection is closed'), null);
        else connection.socket = connector(options, callback) as unknown as Socket; // the declared type omits the returned socket
      },
    });
    const connection: ReceiverConnection = { origin, client, isUsed: false, keptUntil: 0 };
    return connection;
  }

  /** Closes a connection, even if it is still being opened. */
  function end(one: ReceiverConnection): void {
    pool.delete(one);
    one.socket?.destroy();
    void one.client.destroy();
  }

  return {
    /** Takes a connection out of the pool, or opens one. @throws Error if the host has no address, or a reserved one */
    async take(url: URL, signal: AbortSignal): Promise<ReceiverConnection> {
      const addresses = await resolveReceiver(effects, url, signal);
      return takePooled(url.origin, addresses) ?? open(url.origin, addresses);
    },

    /** Opens a connection. @throws Error like `take` */
    takeNew: async (url: URL, signal: AbortSignal): Promise<ReceiverConnection> =>
      open(url.origin, await resolveReceiver(effects, url, signal)),

    /** Returns a connection to the pool after a completely read response, unless the receiver closed it. */
    keep(one: ReceiverConnection): void {
      one.isUsed = true;
      one.keptUntil = clock.now() + KEPT_MS;
      pool.add(one);
      const [oldest] = pool;
      if (pool.size > MAX_CONNECTIONS) end(oldest!);
      if (!isOpen(one)) end(one);
    },

    end,
  };
}

const isOpen = ({ socket }: ReceiverConnection): boolean =>
  socket !== undefined && !socket.destroyed && socket.writable;

const isConnectedTo = ({ socket }: ReceiverConnection, addresses: readonly LookupAddress[] | undefined): boolean =>
  addresses?.some(({ address }) => address === socket?.remoteAddress) ?? true;

/** A lookup for node:net that returns only the checked addresses, so the name is not resolved a second time. */
const createLookup =
  (found: LookupAddress[]): LookupFunction =>
  (_, options, callback) =>
    options.all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family);
