import { getDomain, hostFilter } from '../../platform/values/urls.ts';

/** A plain domain, as most entries are. */
const PLAIN_DOMAIN = /^(?!www\.)[a-z0-9-]+(\.[a-z0-9-]+)+$/;
const DOMAIN = /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/;
/** Separates several names in one entry. */
const SEPARATORS = /[\s,;|]+/;
/** Maximum number of words read from entries that are not plain domains; equals the maximum number of entries in a list. */
const MAX_WORDS = 10_000;
const NO_WORD = /[^\p{L}\p{M}\p{N}-]+/u;

/** A parsed list of blocked advertisers. */
interface Blocked {
  /** Blocked domains, with their subdomains. */
  domains: string[];
  /** Names without a dot. They block every domain with that part: `acme` blocks acme.example. */
  names: string[];
  /** Whether an entry is unreadable or too long. It may mean any advertiser, so all are blocked. */
  blocksAll: boolean;
  /** Indexes of entries that contain anything but domains. */
  unclear: number[];
}

/** The domain of a host, a wildcard (`*.`), or a URL; undefined if there is none. */
function parseDomain(part: string): string | undefined {
  const host = getDomain(part.includes('://') ? part : `http://${part}`).replaceAll(/^(\*?\.)+|\.$/g, '');
  return DOMAIN.test(host) && /[^\d]/.test(part.replaceAll('.', '')) ? host.replace(/^www\./, '') : undefined;
}

/** A possible domain among other characters. */
const DOTTED = /[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)+/gu;

interface Part {
  domains: string[];
  names: string[];
  /** Number of words read. */
  words: number;
}

/** Reads the domains in a part of an entry, and its other words in the form used in domains. */
function readPart(part: string): Part {
  const whole = parseDomain(part);
  if (whole) return { domains: [whole], names: [], words: 1 };
  const domains: string[] = [];
  const others = part
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replaceAll(DOTTED, (dotted) => {
      const domain = parseDomain(dotted);
      if (domain) domains.push(domain);
      return domain ? ' ' : dotted.slice(0, dotted.lastIndexOf('.')); // the last label would block a whole top-level domain
    });
  const words = others.split(NO_WORD);
  const names = words.flatMap((word) => (/^[a-z0-9-]*$/.test(word) ? word : getDomain(`http://${word}`)) || []);
  return { domains, names, words: domains.length + words.length };
}

function readBlocked(entries: readonly string[]): Blocked {
  const blocked: Blocked = { domains: [], names: [], blocksAll: false, unclear: [] };
  let words = 0;
  for (const [index, entry] of entries.entries()) {
    if (PLAIN_DOMAIN.test(entry)) {
      blocked.domains.push(entry);
      continue;
    }
    let isClear = true;
    for (const text of entry.split(SEPARATORS).filter(Boolean)) {
      if (words >= MAX_WORDS) return { ...blocked, blocksAll: true, unclear: [...blocked.unclear, index] };
      const part = readPart(text);
      words += part.words;
      blocked.domains.push(...part.domains);
      blocked.names.push(...part.names);
      blocked.blocksAll ||= part.domains.length + part.names.length === 0;
      isClear &&= part.domains.length > 0 && part.names.length === 0;
    }
    if (!isClear) blocked.unclear.push(index);
  }
  return blocked;
}

/**
 * Creates a function that returns whether a request blocks an advertiser's domain (`badv`). An entry that is not a domain blocks everything
 * it may mean: a name blocks every domain that contains it as a part, and an unreadable entry blocks every advertiser. Lists have thousands
 * of entries, so parsing waits until the first call.
 */
export function createAdvertiserFilter(entries: readonly string[]): (domain: string) => boolean {
  if (entries.length === 0) return () => false;
  let parsed: { isIn: (domain: string) => boolean; names: Set<string>; blocksAll: boolean } | undefined;
  return (domain) => {
    if (!parsed) {
      const { domains, names, blocksAll } = readBlocked(entries);
      parsed = { isIn: hostFilter(domains), names: new Set(names), blocksAll };
    }
    const { isIn, names, blocksAll } = parsed;
    return blocksAll || isIn(domain) || (names.size > 0 && domain.split('.').some((part) => names.has(part)));
  };
}

/** Indexes of entries that contain anything but domains. Stops where reading stops if the list is too long. */
export const findUnclearAdvertisers = (entries: readonly string[]): number[] => readBlocked(entries).unclear;
