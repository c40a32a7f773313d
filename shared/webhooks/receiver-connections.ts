import type { LookupAddress } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import { MINUTE_MS } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import { createReceiverAddresses } from './receiver-url.ts';

/** A connection to a receiver, or one that is being made: its client makes no second. */
export interface ReceiverConnection {
  origin: string;
  client: Client;
  socket?: Socket;
  /** Whether a request was answered over it before. */
  isUsed: boolean;
  /** Epoch milliseconds. */
  keptUntil: number;
}

/** How long a connection is kept for the next request: servers commonly close after five seconds. */
const KEPT_MS = 4_000;
/** Connections that are kept at once, over all receivers. */
const MAX_CONNECTIONS = 64;

/**
 * Connections to receivers that their owners name, and to nowhere else: at every request a name is resolved, its addresses are
 * classified, and the connection is made to one of them. One that was kept is used again only where it leads to one of them still. Each
 * has one request at a time: no receiver waits for another's.
 */
export function createReceiverConnections(effects: Pick<Effects, 'config' | 'clock' | 'resolve'>) {
  const { config, clock } = effects;
  const addressesOf = createReceiverAddresses(effects);
  const kept = new Set<ReceiverConnection>();

  function takeKept(origin: string, addresses: readonly LookupAddress[] | undefined): ReceiverConnection | undefined {
    const now = clock.now();
    for (const one of kept) {
      if (one.keptUntil <= now || !isOpen(one)) end(one);
      else if (one.origin === origin && leadsTo(one, addresses)) {
        kept.delete(one);
        return one;
      }
    }
    return undefined;
  }

  function make(origin: string, addresses: LookupAddress[] | undefined): ReceiverConnection {
    const { webhookTimeoutMs: timeout } = config;
    const lookup = addresses && createLookup(addresses);
    const connector = buildConnector({ lookup, allowH2: false, maxCachedSessions: 0, timeout });
    const client = new Client(origin, {
      keepAliveTimeout: KEPT_MS,
      keepAliveMaxTimeout: MINUTE_MS, // for receivers that say how long they keep it
      connect: (options, callback) => {
        if (made.socket) callback(new Error('The connection is closed'), null);
        else made.socket = connector(options, callback) as unknown as Socket; // it returns its socket, though its type hides that
      },
    });
    const made: ReceiverConnection = { origin, client, isUsed: false, keptUntil: 0 };
    return made;
  }

  /** Closes a connection, also one that is still being made. */
  function end(one: ReceiverConnection): void {
    kept.delete(one);
    one.socket?.destroy();
    void one.client.destroy();
  }

  return {
    /** A connection that nobody else has. @throws Error when the host leads nowhere, or where nothing may be delivered */
    async take(url: URL, signal: AbortSignal): Promise<ReceiverConnection> {
      const addresses = await addressesOf(url, signal);
      return takeKept(url.origin, addresses) ?? make(url.origin, addresses);
    },

    /** The same, but none that was kept. */
    takeNew: async (url: URL, signal: AbortSignal): Promise<ReceiverConnection> =>
      make(url.origin, await addressesOf(url, signal)),

    /** Keeps a connection over which a request was answered to the end, unless the receiver closed it. */
    keep(one: ReceiverConnection): void {
      one.isUsed = true;
      one.keptUntil = clock.now() + KEPT_MS;
      kept.add(one);
      const [oldest] = kept;
      if (kept.size > MAX_CONNECTIONS) end(oldest!);
      if (!isOpen(one)) end(one);
    },

    end,
  };
}

const isOpen = ({ socket }: ReceiverConnection): boolean =>
  socket !== undefined && !socket.destroyed && socket.writable;

const leadsTo = ({ socket }: ReceiverConnection, addresses: readonly LookupAddress[] | undefined): boolean =>
  addresses?.some(({ address }) => address === socket?.remoteAddress) ?? true;

/** node:net asks this instead of the system for the addresses of a name, and connects to nothing else. */
const createLookup =
  (found: LookupAddress[]): LookupFunction =>
  (_, options, callback) =>
    options.all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family);
