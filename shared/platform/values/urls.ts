const PRINTABLE_ASCII = /^[\x21-\x7e]*$/;

/**
 * A valid URL in ASCII as the URL standard serializes it: percent-encoded, with its host in Punycode. An ASCII URL is returned
 * unchanged, because normalizing a signed URL would break its signature.
 */
export const asciiUrl = (url: string): string => (PRINTABLE_ASCII.test(url) ? url : new URL(url).href);

/** The host of an address without www, and without the dot of the root, which is the same host; empty where there is none. */
export const getDomain = (url: string): string =>
  URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '').replace(/^www\./, '') : '';

/** What is in no plain host name in lower case. */
const NOT_PLAIN = /[^a-z0-9.-]/;
const isPlain = (domain: string): boolean =>
  !NOT_PLAIN.test(domain) && !domain.startsWith('www.') && !domain.startsWith('.') && !domain.endsWith('.');

/** The host that an entry of a list names, as a name, an address, or `*.` and what it is above; empty where it names none. */
const listedHost = (entry: string): string =>
  getDomain(entry.includes('://') ? entry.trim() : `http://${entry.trim()}`).replaceAll(/^\*?\.|\.$/g, '');
/** Searches of a list that take as long as a set of it takes to make. */
const MAX_SEARCHES = 16;

/**
 * Whether a host name is on a list. An exchange's list has thousands and serves for one request, which asks once or twice: it is searched as it
 * is, and made a set of when it is asked often.
 */
function isListed(hosts: readonly string[]): (host: string) => boolean {
  let all: Set<string> | undefined;
  let searches = 0;
  return (host) => {
    if (!all && ++searches > MAX_SEARCHES) all = new Set(hosts);
    return all ? all.has(host) : hosts.includes(host);
  };
}

/** A test of domains: whether one is among some, or below one of them. What is no host name is passed over; what is no plain one is read as a URL, which takes a microsecond. */
export function domainFilter(domains: readonly string[]): (domain: string) => boolean {
  if (domains.length === 0) return () => false;
  let isIn: ((domain: string) => boolean) | undefined;
  return (domain) => {
    isIn ??= hostFilter(domains.map((listed) => (isPlain(listed) ? listed : listedHost(listed))));
    return isIn(domain);
  };
}

/** The same for host names that were read already: lower case, without www and a dot behind. */
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
/** What no URL holds, and what parsers of the web take for a slash. */
const HIDDEN = /[^\x21-\u{10ffff}]|[\x7f\\]/u;
/** Host and port of an authority: an IPv6 address in brackets, without a zone; or a name. */
const HOST = /^(\[[^\]%]*\]|[^:[\]%]+)(?::(\d*))?$/;
/** A label of a name as UTS-46 lets it pass with CheckHyphens and UseSTD3ASCIIRules. */
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

/** In lower case, Punycode and without the dot of the root; undefined for what is no name of a host. */
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

/** A path without `.` and `..` (RFC 3986, section 5.2.4); empty segments stay. */
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

/** A path in which characters that need no encoding have none, and the rest has it in capitals. */
const decoded = (path: string): string =>
  path.replaceAll(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
