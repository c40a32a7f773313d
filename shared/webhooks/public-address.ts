import ipaddr from 'ipaddr.js';

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Reserved blocks of IANA's "IPv6 Global Unicast Address Assignments". `3000::/4` includes 3ffe::/16, formerly the 6bone. */
const RESERVED_IPV6 = ['2d00::/8', '2e00::/7', '3000::/4'].map((range) => ipaddr.IPv6.parseCIDR(range));

/** Whether an address is public: not private, loopback, link-local, or otherwise reserved. */
function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // unwraps IPv4-mapped addresses
  if (parsed.range() !== 'unicast') return false; // also excludes NAT64, 6to4, and Teredo, which embed an IPv4 address
  return parsed.kind() === 'ipv4' || (parsed.match(GLOBAL_IPV6) && !RESERVED_IPV6.some((range) => parsed.match(range)));
}

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

/** Whether a delivery may connect to an address: a public one, or loopback if `allowLocal`. */
export const canConnect = (address: string, allowLocal: boolean): boolean =>
  isPublicAddress(address) || (allowLocal && isLoopback(address));
