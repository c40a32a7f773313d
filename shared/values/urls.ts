const PRINTABLE_ASCII = /^[\x21-\x7e]*$/;

/**
 * A valid URL in ASCII, as the URL standard writes it: percent-encoded, its host in Punycode. What is ASCII already stays to the
 * letter: an address may be signed, and spelling it anew would break the signature.
 */
export const asciiUrl = (url: string): string => (PRINTABLE_ASCII.test(url) ? url : new URL(url).href);

/** The host of an address without www; empty where there is none. */
export const domainOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '');

/** A test of domains: whether one is among some, or below one of them. What is no host name is passed over. */
export function domainFilter(domains: readonly string[]): (domain: string) => boolean {
  const hosts = new Set(domains.map((domain) => domainOf(`http://${domain.trim()}`)).filter(Boolean));
  if (hosts.size === 0) return () => false;
  return (domain) => {
    for (let rest = domain; rest; rest = rest.slice(rest.indexOf('.') + 1)) {
      if (hosts.has(rest)) return true;
      if (!rest.includes('.')) return false;
    }
    return false;
  };
}
