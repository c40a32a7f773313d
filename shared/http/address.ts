import ipaddr from 'ipaddr.js';

/**
 * Truncates an IP address until it no longer identifies a household (api 5.6): IPv4 loses its last octet, and IPv6 keeps its first
 * 48 bits. Returns '' for anything that is not an IP address.
 */
export function cutAddress(address: string): string {
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  const bytes = parsed.toByteArray();
  const kept = bytes.map((byte, index) => (index < (bytes.length === 4 ? 3 : 6) ? byte : 0));
  return ipaddr.fromByteArray(kept).toString();
}
