import ipaddr from 'ipaddr.js';
import type { Resolve } from '../platform/resolve.ts';
import { mayConnect } from './public-address.ts';

/** Ports that no web server has: the "bad ports" of the Fetch standard, section 2.9. */
const BAD_PORTS = new Set(
  (
    '0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 139 143 161 ' +
    '179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3659 4045 4190 ' +
    '5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080'
  ).split(' '),
);

/** A URL's host as an address or a name: without brackets and the dots that may end a fully qualified name. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');

/**
 * Why nothing may be delivered to an address as it is written; null when it may (api 8.1). URL parsing has made
 * decimal, hexadecimal and octal spellings into dotted ones already.
 */
export function faultOfUrl(text: string, allowLocal: boolean): string | null {
  if (!URL.canParse(text)) return 'url must be an absolute https URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowLocal && url.protocol === 'http:')) return 'url must be an https URL';
  if (url.username || url.password) return 'url must not contain credentials';
  if (BAD_PORTS.has(url.port)) return `url must not use port ${url.port}, which is not for web servers`;
  const host = hostOf(url);
  const isAddress = ipaddr.isValid(host);
  const isLocalName = /(^|\.)localhost$/i.test(host);
  if (isAddress ? !mayConnect(host, allowLocal) : isLocalName ? !allowLocal : !host.includes('.')) return RESERVED;
  // URL parsing passes over blanks; what is stored is what was written.
  if (/\s/.test(text)) return 'url must not contain spaces';
  return null;
}

const RESERVED = 'url must not lead to a private, loopback, link-local, or other reserved address';

/**
 * The same, asking the names: one of whose addresses is reserved is refused. A name without any address now is not; what it
 * leads to then is checked at every delivery.
 */
export async function faultOfReceiver(text: string, allowLocal: boolean, resolve: Resolve): Promise<string | null> {
  const fault = faultOfUrl(text, allowLocal);
  if (fault) return fault;
  const host = hostOf(new URL(text));
  if (ipaddr.isValid(host)) return null;
  const addresses = await resolve(host);
  return addresses.every((address) => mayConnect(address, allowLocal)) ? null : RESERVED;
}
