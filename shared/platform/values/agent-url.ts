const PARTS = /^(https?):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?/i;
/** What no URL holds, and what parsers of the web take for a slash. */
const HIDDEN = /[^\x21-\u{10ffff}]|[\x7f\\]/u;
/** Host and port of an authority: an IPv6 address in brackets, without a zone; or a name. */
const HOST = /^(\[[^\]%]*\]|[^:[\]%]+)(?::(\d*))?$/;
/** A label of a name as UTS-46 lets it pass with CheckHyphens and UseSTD3ASCIIRules. */
const LABEL = /^(?!(?!xn--)..--)[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const DEFAULT_PORT: Record<string, string> = { http: '80', https: '443' };

/**
 * The canonical form of an agent's URL, as AdCP compares URLs as identifiers (reference, "URL canonicalization"): two name the same agent where
 * these are the same to the letter. undefined for what is none. Not `URL.href`, which also spells the path and the query anew.
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
