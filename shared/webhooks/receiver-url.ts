import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Effects, Resolve } from '../platform/effects.ts';
import { canConnect } from './public-address.ts';

/** Ports that no web server has: the "bad ports" of the Fetch standard, section 2.9. */
const BAD_PORTS = new Set(
  (
    '0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 139 143 161 ' +
    '179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 ' +
    '5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080'
  ).split(' '),
);

/** A URL's host as an address or a name: without brackets and the dots that may end a fully qualified name. */
const getHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');

/**
 * Why nothing may be delivered to an address as it is written; null when it may (api 8.1). URL parsing has made
 * decimal, hexadecimal and octal spellings into dotted ones already.
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
  // URL parsing passes over blanks; what is stored is what was written.
  if (/\s/.test(text)) return 'url must not contain spaces';
  return null;
}

const RESERVED = 'url must not lead to a private, loopback, link-local, or other reserved address';

/**
 * The same, asking the names: one of whose addresses is reserved is refused. A name without any address now is not; what it
 * leads to then is checked at every delivery.
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
 * Finds where a URL leads now: every address of its name, each of them classified; undefined where it names an address, which was
 * classified as it is written. @throws Error when the name leads nowhere, or where nothing may be delivered
 */
export function createReceiverAddresses({ config, resolve }: Pick<Effects, 'config' | 'resolve'>) {
  async function addressesOf(hostname: string): Promise<LookupAddress[]> {
    const addresses = await resolve(hostname);
    if (addresses.length === 0) throw new Error(`${hostname} has no IP address`);
    const isSafe = addresses.every((address) => canConnect(address, config.webhookAllowLocal));
    if (!isSafe) throw new Error(`${hostname} leads to a reserved IP address`);
    return addresses.map((address) => ({ address, family: ipaddr.parse(address).kind() === 'ipv4' ? 4 : 6 }));
  }

  return async ({ hostname }: URL, signal: AbortSignal): Promise<LookupAddress[] | undefined> =>
    isIP(hostname) !== 0 || hostname.startsWith('[') ? undefined : inTime(signal, addressesOf(hostname));
}

/** What comes of work that heeds no signal, while there is time. */
const inTime = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> => {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, late]);
};
