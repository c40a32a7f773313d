const PRINTABLE_ASCII = /^[\x21-\x7e]*$/;

/**
 * A valid URL in ASCII, as the URL standard writes it: percent-encoded, its host in Punycode. What is ASCII already stays to the
 * letter: an address may be signed, and spelling it anew would break the signature.
 */
export const asciiUrl = (url: string): string => (PRINTABLE_ASCII.test(url) ? url : new URL(url).href);

/** The host of an address without www; empty where there is none. */
export const domainOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '');

/** What is in no list of plain host names in lower case, one a line. */
const NOT_PLAIN = /[^a-z0-9.\n-]|(^|\n)www\./;

/**
 * Whether a host name is on a list. An exchange's list has thousands and serves for one request: where all are plain names it is searched as it
 * is, in less time than a set would take to make; reading each as a URL, which others need, takes a microsecond.
 */
function isListed(domains: readonly string[]): (host: string) => boolean {
  if (!NOT_PLAIN.test(domains.join('\n'))) return (host) => domains.includes(host);
  const hosts = new Set(domains.map((domain) => domainOf(`http://${domain.trim()}`)).filter(Boolean));
  return (host) => hosts.has(host);
}

/** A test of domains: whether one is among some, or below one of them. What is no host name is passed over. */
export function domainFilter(domains: readonly string[]): (domain: string) => boolean {
  if (domains.length === 0) return () => false;
  const isHere = isListed(domains);
  return (domain) => {
    for (let rest = domain; rest; rest = rest.slice(rest.indexOf('.') + 1)) {
      if (isHere(rest)) return true;
      if (!rest.includes('.')) return false;
    }
    return false;
  };
}
