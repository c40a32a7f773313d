const PRINTABLE_ASCII = /^[\x21-\x7e]*$/;

/**
 * A valid URL in ASCII as the URL standard serializes it: percent-encoded, with its host in Punycode. An ASCII URL is returned
 * unchanged, because normalizing a signed URL would break its signature.
 */
export const asciiUrl = (url: string): string => (PRINTABLE_ASCII.test(url) ? url : new URL(url).href);

/** The host of a URL without `www.` or a trailing root dot, which does not change the host. '' for an invalid URL. */
export const getDomain = (url: string): string =>
  URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '').replace(/^www\./, '') : '';

/** Characters that a plain host name in lower case does not contain. */
const NOT_PLAIN = /[^a-z0-9.-]/;
const isPlain = (domain: string): boolean =>
  !NOT_PLAIN.test(domain) && !domain.startsWith('www.') && !domain.startsWith('.') && !domain.endsWith('.');

/** The host of a list entry, which can be a name, a URL, or `*.` and a name. '' for an invalid entry. */
const listedHost = (entry: string): string =>
  getDomain(entry.includes('://') ? entry.trim() : `http://${entry.trim()}`).replaceAll(/^\*?\.|\.$/g, '');
/** After this many searches of the list, building a set pays off. */
const MAX_SEARCHES = 16;

/**
 * Returns a function that tests whether a host is on a list. An exchange's list has thousands of entries and serves one request with one
 * or two tests, so it is searched directly, and converted to a set only after many tests.
 */
function isListed(hosts: readonly string[]): (host: string) => boolean {
  let all: Set<string> | undefined;
  let searches = 0;
  return (host) => {
    if (!all && ++searches > MAX_SEARCHES) all = new Set(hosts);
    return all ? all.has(host) : hosts.includes(host);
  };
}

/**
 * Returns a function that tests whether a domain is one of `domains` or a subdomain of one. Invalid entries are ignored. Only entries that
 * are not plain host names are parsed as URLs, which takes a microsecond each.
 */
export function domainFilter(domains: readonly string[]): (domain: string) => boolean {
  if (domains.length === 0) return () => false;
  let isIn: ((domain: string) => boolean) | undefined;
  return (domain) => {
    isIn ??= hostFilter(domains.map((listed) => (isPlain(listed) ? listed : listedHost(listed))));
    return isIn(domain);
  };
}

/** Like `domainFilter`, for hosts that are normalized already: lower case, without `www.` or a dot at the end. */
export function hostFilter(hosts: readonly string[]): (domain: string) => boolean {
  const isHere = isListed(hosts);
  return (domain) => {
    for (let rest = domain; rest; rest = rest.slice(rest.indexOf('.') + 1)) {
      if (isHere(rest)) return true;
      if (!rest.includes('.')) return false;
    }
    return false;
  };
}

const PARTS = /^(https?):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?/i;
/** Characters that no URL contains, and the backslash, which web parsers treat as a slash. */
const HIDDEN = /[^\x21-\u{10ffff}]|[\x7f\\]/u;
/** Host and port of an authority: an IPv6 address in brackets, without a zone; or a name. */
const HOST = /^(\[[^\]%]*\]|[^:[\]%]+)(?::(\d*))?$/;
/** A label of a name that is valid under UTS-46 with CheckHyphens and UseSTD3ASCIIRules. */
const LABEL = /^(?!(?!xn--)..--)[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const DEFAULT_PORT: Record<string, string> = { http: '80', https: '443' };

/**
 * The canonical form of an agent's URL (AdCP reference, "URL canonicalization"): two URLs name the same agent if their canonical forms
 * are equal. Undefined for an invalid URL. `URL.href` does not work here, because it also rewrites the path and the query.
 */
export function canonicalAgentUrl(url: string): string | undefined {
  const [, said = '', authority = '', path = '', query = ''] = PARTS.exec(url) ?? [];
  if (HIDDEN.test(url) || !URL.canParse(url)) return undefined;
  const scheme = said.toLowerCase();
  const [, name = '', port = ''] = HOST.exec(authority.slice(authority.lastIndexOf('@') + 1)) ?? [];
  const host = canonicalHost(name);
  if (!host) return undefined;
  const stated = port && port !== DEFAULT_PORT[scheme] ? `:${port}` : '';
  return `${scheme}://${host}${stated}${decoded(withoutDotSegments(path))}${query}`;
}

/** The host in lower case, in Punycode, and without the root dot. Undefined for an invalid host name. */
function canonicalHost(name: string): string | undefined {
  if (name.startsWith('[')) return name.toLowerCase();
  const ascii = /^[\x21-\x7e]+$/.test(name)
    ? name.toLowerCase()
    : URL.canParse(`https://${name}`)
      ? new URL(`https://${name}`).hostname
      : '';
  const host = ascii.replace(/\.$/, '');
  return host.split('.').every((label) => LABEL.test(label)) ? host : undefined;
}

/** Removes `.` and `..` from a path (RFC 3986, section 5.2.4) and keeps empty segments. */
function withoutDotSegments(path: string): string {
  const kept: string[] = [];
  const segments = path.split('/').slice(1);
  for (const [index, segment] of segments.entries()) {
    if (segment === '..') kept.pop();
    if (segment !== '.' && segment !== '..') kept.push(segment);
    else if (index === segments.length - 1) kept.push('');
  }
  return `/${kept.join('/')}`;
}

/** Decodes the characters of a path that need no encoding, and writes the other codes in upper case. */
const decoded = (path: string): string =>
  path.replaceAll(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
