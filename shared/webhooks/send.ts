import type { LookupAddress } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector, Client } from 'undici';
import type { Effects } from '../platform/effects.ts';
import { errorOf } from '../values/typed.ts';
import { mayConnect } from './public-address.ts';
import { faultOfUrl } from './url.ts';

/** What one request to a receiver came to. */
export interface SendResult {
  success: boolean;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  /** The first kilobyte of what the receiver answered, as text; absent where it said nothing. */
  answer?: string;
}

export type Send = (url: string, headers: Record<string, string>, body: string) => Promise<SendResult>;

const USER_AGENT = 'conversation-ads-webhooks/1.0';
/** Bytes of an answer that are read, so that its end is seen; and those that are kept for who looks for what went wrong. */
const MOST_ANSWER_BYTES = 64 * 1024;
const MOST_KEPT_BYTES = 1024;

/**
 * Posts to receivers that their owners name, and to nowhere else: a name is resolved here, its addresses are classified, and the
 * connection goes to an address that was classified. Every request has a connection of its own, closed with it: none is left
 * to an address that its name no longer has, and no receiver waits for another's request. Redirects are not followed. The time
 * limit spans everything, a slow body included.
 */
export function createSend({ config, clock, resolve }: Pick<Effects, 'config' | 'clock' | 'resolve'>): Send {
  const allowLocal = config.webhookAllowLocal;

  async function addressesOf(hostname: string): Promise<LookupAddress[]> {
    const addresses = await resolve(hostname);
    if (addresses.length === 0) throw new Error(`${hostname} has no address`);
    const isSafe = addresses.every((address) => mayConnect(address, allowLocal));
    if (!isSafe) throw new Error(`${hostname} leads to a reserved address`);
    return addresses.map((address) => ({ address, family: ipaddr.parse(address).kind() === 'ipv4' ? 4 : 6 }));
  }

  /** node:net asks this instead of the system for the addresses of a name, and connects to nothing else. */
  const lookup: LookupFunction = (hostname, options, callback) => {
    addressesOf(hostname).then(
      (found) => (options.all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family)),
      (error) => callback(error, '', 0),
    );
  };
  const connector = buildConnector({ lookup, allowH2: false, maxCachedSessions: 0, timeout: config.webhookTimeoutMs });

  async function post(url: URL, headers: Record<string, string>, body: string, signal: AbortSignal) {
    let socket: Socket | undefined;
    const client = new Client(url.origin, {
      connect: (options, callback) => {
        socket = connector(options, callback) as unknown as Socket; // it returns its socket, though its type hides that
      },
    });
    try {
      const answered = await client.request({
        method: 'POST',
        path: url.pathname + url.search,
        headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...headers },
        body,
        signal,
      });
      return { statusCode: answered.statusCode, answer: await beginningOf(answered.body) };
    } finally {
      socket?.destroy(); // also one that is still connecting
      await client.destroy();
    }
  }

  return async (url, headers, body) => {
    const startedAt = clock.now();
    const fault = faultOfUrl(url, allowLocal);
    if (fault) return { success: false, statusCode: null, durationMs: 0, error: fault };
    const signal = AbortSignal.timeout(config.webhookTimeoutMs);
    try {
      const { statusCode, answer } = await post(new URL(url), headers, body, signal);
      const success = statusCode >= 200 && statusCode < 300;
      const error = success ? null : `The receiver answered ${statusCode}`;
      return { success, statusCode, durationMs: clock.now() - startedAt, error, ...(answer && { answer }) };
    } catch (error) {
      const reason = signal.aborted ? `No answer within ${config.webhookTimeoutMs / 1000} s` : messageOf(error);
      return { success: false, statusCode: null, durationMs: clock.now() - startedAt, error: reason };
    }
  };
}

/** The first kilobyte of an answer as text, without a character that its end cuts. */
async function beginningOf(answer: AsyncIterable<Uint8Array>): Promise<string> {
  const kept: Uint8Array[] = [];
  let read = 0;
  for await (const chunk of answer) {
    if (read < MOST_KEPT_BYTES) kept.push(chunk.subarray(0, MOST_KEPT_BYTES - read));
    read += chunk.length;
    if (read >= MOST_ANSWER_BYTES) break;
  }
  return new TextDecoder().decode(Buffer.concat(kept), { stream: true });
}

function messageOf(error: unknown): string {
  const { message, code }: Error & { code?: string } = errorOf(error);
  return (message || code || 'failed').slice(0, 200);
}
