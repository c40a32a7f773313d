import { domainFilter, domainOf } from '../values/urls.ts';

/** A host name with a dot in it, as most entries are. */
const PLAIN_DOMAIN = /^(?!www\.)[a-z0-9-]+(\.[a-z0-9-]+)+$/;
const DOMAIN = /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/;
/** What parts several names that were put into one entry. */
const BETWEEN = /[\s,;|]+/;
const NO_WORD = /[^\p{L}\p{M}\p{N}-]+/u;

/** What a list of blocked advertisers says. */
interface Blocked {
  /** Domains; those below them are blocked too. */
  domains: string[];
  /** Names without a dot, which may be any part of a domain: `acme` of acme.example. */
  names: string[];
  /** Whether an entry names nothing that can be read, so that it may mean anybody. */
  anybody: boolean;
}

/** The domain that a part of an entry names, as a host, below `*.`, or of an address; undefined where it is none. */
function domainIn(part: string): string | undefined {
  const host = domainOf(part.includes('://') ? part : `http://${part}`).replaceAll(/^(\*?\.)+|\.$/g, '');
  return DOMAIN.test(host) && /[^\d]/.test(part.replaceAll('.', '')) ? host.replace(/^www\./, '') : undefined;
}

/** The words of what is no domain, as they would stand in one. */
const namesIn = (part: string): string[] =>
  part
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .split(NO_WORD)
    .flatMap((word) => (/^[a-z0-9-]*$/.test(word) ? word : domainOf(`http://${word}`)) || []);

function readBlocked(entries: readonly string[]): Blocked {
  const blocked: Blocked = { domains: [], names: [], anybody: false };
  for (const entry of entries) {
    if (PLAIN_DOMAIN.test(entry)) {
      blocked.domains.push(entry);
      continue;
    }
    for (const part of entry.split(BETWEEN).filter(Boolean)) {
      const domain = domainIn(part);
      const names = domain ? [] : namesIn(part);
      if (domain) blocked.domains.push(domain);
      blocked.names.push(...names);
      blocked.anybody ||= !domain && names.length === 0;
    }
  }
  return blocked;
}

/**
 * Whether the domain of an advertiser is among those that a request blocks. What is no domain blocks what it may mean: a name all domains that
 * have it for a part, and what names nothing everybody. An exchange's list has thousands of entries: it is read when a campaign is first asked for.
 */
export function blockedAdvertisers(entries: readonly string[]): (domain: string) => boolean {
  if (entries.length === 0) return () => false;
  let read: { isIn: (domain: string) => boolean; names: Set<string>; anybody: boolean } | undefined;
  return (domain) => {
    if (!read) {
      const { domains, names, anybody } = readBlocked(entries);
      read = { isIn: domainFilter(domains), names: new Set(names), anybody };
    }
    const { isIn, names, anybody } = read;
    return anybody || isIn(domain) || (names.size > 0 && domain.split('.').some((part) => names.has(part)));
  };
}

/** Whether an entry of a list of blocked advertisers is a domain, or an address of one. */
export const namesDomain = (entry: string): boolean => PLAIN_DOMAIN.test(entry) || domainIn(entry.trim()) !== undefined;
