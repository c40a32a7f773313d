import ipaddr from 'ipaddr.js';

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** What IANA's registry of global unicast assignments marks as reserved in it: nobody was given these; 3ffe::/16 was the 6bone. */
const RESERVED_IPV6 = ['2d00::/8', '2e00::/7', '3000::/4'].map((range) => ipaddr.IPv6.parseCIDR(range));

/** Whether an address is one that anybody on the internet could have, and no private, loopback, link-local or otherwise reserved one. */
function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // an IPv4-mapped address is the IPv4 address in it
  if (parsed.range() !== 'unicast') return false; // so is everything that only carries an IPv4 address: NAT64, 6to4, Teredo
  return parsed.kind() === 'ipv4' || (parsed.match(GLOBAL_IPV6) && !RESERVED_IPV6.some((range) => parsed.match(range)));
}

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

/** Whether an address may be connected to: a public one, or loopback where the setting allows it. */
export const canConnect = (address: string, allowLocal: boolean): boolean =>
  isPublicAddress(address) || (allowLocal && isLoopback(address));
