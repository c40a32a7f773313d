import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Effects } from '../platform/effects.ts';
import { mayConnect } from './public-address.ts';

/**
 * Finds where a URL leads now: every address of its name, each of them classified; undefined where it names an address, which was
 * classified as it is written. @throws Error when the name leads nowhere, or where nothing may be delivered
 */
export function createReceiverAddresses({ config, resolve }: Pick<Effects, 'config' | 'resolve'>) {
  async function addressesOf(hostname: string): Promise<LookupAddress[]> {
    const addresses = await resolve(hostname);
    if (addresses.length === 0) throw new Error(`${hostname} has no IP address`);
    const isSafe = addresses.every((address) => mayConnect(address, config.webhookAllowLocal));
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
