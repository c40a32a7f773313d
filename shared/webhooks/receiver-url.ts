import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Effects, Resolve } from '../platform/effects.ts';
import { canConnect } from './public-address.ts';

/** Ports of protocols other than HTTP: the "bad ports" of the Fetch standard, section 2.9. */
const BAD_PORTS = new Set(
  (
    '0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 139 143 161 ' +
    '179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 ' +
    '5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080'
  ).split(' '),
);

/** A URL's host as an address or a name, without brackets and trailing dots. */
const getHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');

/**
 * Why a URL is not allowed as a receiver, judged by its text only; null if it is allowed (api 8.1). URL parsing already turns decimal,
 * hexadecimal, and octal IPv4 addresses into dotted ones.
 */
export function findUrlFault(text: string, allowLocal: boolean): string | null {
  if (!URL.canParse(text)) return 'url must be an absolute https URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowLocal && url.protocol === 'http:')) return 'url must be an https URL';
  if (url.username || url.password) return 'url must not contain credentials';
  if (BAD_PORTS.has(url.port)) return `url must not use port ${url.port}, which is not for web servers`;
  const host = getHost(url);
  const isAddress = ipaddr.isValid(host);
  const isLocalName = /(^|\.)localhost$/i.test(host);
  if (isAddress ? !canConnect(host, allowLocal) : isLocalName ? !allowLocal : !host.includes('.')) return RESERVED;
  // URL parsing ignores some spaces, but the URL is stored as it was sent.
  if (/\s/.test(text)) return 'url must not contain spaces';
  return null;
}

const RESERVED = 'url must not lead to a private, loopback, link-local, or other reserved address';

/**
 * Like `findUrlFault`, but also resolves the name and rejects it if any of its addresses is reserved. A name without addresses is
 * allowed, because every delivery checks the addresses again.
 */
export async function findReceiverFault(text: string, allowLocal: boolean, resolve: Resolve): Promise<string | null> {
  const fault = findUrlFault(text, allowLocal);
  if (fault) return fault;
  const host = getHost(new URL(text));
  if (ipaddr.isValid(host)) return null;
  const addresses = await resolve(host);
  return addresses.every((address) => canConnect(address, allowLocal)) ? null : RESERVED;
}

/**
 * Resolves a receiver's host to its current addresses, and checks each of them. Returns undefined if the host is an IP address, which
 * `findUrlFault` has checked.
 * @throws Error if the name has no address, or a reserved one
 */
export const resolveReceiver = async (
  effects: Pick<Effects, 'config' | 'resolve'>,
  { hostname }: URL,
  signal: AbortSignal,
): Promise<LookupAddress[] | undefined> =>
  isIP(hostname) !== 0 || hostname.startsWith('[')
    ? undefined
    : rejectOnAbort(signal, resolveSafely(effects, hostname));

async function resolveSafely(
  { config, resolve }: Pick<Effects, 'config' | 'resolve'>,
  hostname: string,
): Promise<LookupAddress[]> {
  const addresses = await resolve(hostname);
  if (addresses.length === 0) throw new Error(`${hostname} has no IP address`);
  const isSafe = addresses.every((address) => canConnect(address, config.webhookAllowLocal));
  if (!isSafe) throw new Error(`${hostname} leads to a reserved IP address`);
  return addresses.map((address) => ({ address, family: ipaddr.parse(address).kind() === 'ipv4' ? 4 : 6 }));
}

/** Rejects when the signal aborts; name resolution itself cannot be aborted. */
const rejectOnAbort = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> => {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, aborted]);
};
