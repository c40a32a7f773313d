import { domainOf, hostFilter } from '../../platform/values/urls.ts';

/** A host name with a dot in it, as most entries are. */
const PLAIN_DOMAIN = /^(?!www\.)[a-z0-9-]+(\.[a-z0-9-]+)+$/;
const DOMAIN = /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/;
/** What parts several names that were put into one entry. */
const BETWEEN = /[\s,;|]+/;
/** Words that are read of all entries that are no plain domain: a domain for each entry that there may be. */
const MOST_WORDS = 10_000;
const NO_WORD = /[^\p{L}\p{M}\p{N}-]+/u;

/** What a list of blocked advertisers says. */
interface Blocked {
  /** Domains; those below them are blocked too. */
  domains: string[];
  /** Names without a dot, which may be any part of a domain: `acme` of acme.example. */
  names: string[];
  /** Whether an entry names nothing that can be read, or there is too much of it, so that it may mean anybody. */
  anybody: boolean;
  /** Places of entries that are more or something else than domains. */
  unread: number[];
}

/** The domain that a part of an entry names, as a host, below `*.`, or of an address; undefined where it is none. */
function domainIn(part: string): string | undefined {
  const host = domainOf(part.includes('://') ? part : `http://${part}`).replaceAll(/^(\*?\.)+|\.$/g, '');
  return DOMAIN.test(host) && /[^\d]/.test(part.replaceAll('.', '')) ? host.replace(/^www\./, '') : undefined;
}

/** What looks like a domain among other characters. */
const DOTTED = /[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)+/gu;

interface Part {
  domains: string[];
  names: string[];
  /** How many words were looked at. */
  words: number;
}

/** The domains of a part of an entry, and its other words as they would stand in one. */
function readPart(part: string): Part {
  const whole = domainIn(part);
  if (whole) return { domains: [whole], names: [], words: 1 };
  const domains: string[] = [];
  const others = part
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replaceAll(DOTTED, (dotted) => {
      const domain = domainIn(dotted);
      if (domain) domains.push(domain);
      return domain ? ' ' : dotted.slice(0, dotted.lastIndexOf('.')); // what is last would block a whole top-level domain
    });
  const words = others.split(NO_WORD);
  const names = words.flatMap((word) => (/^[a-z0-9-]*$/.test(word) ? word : domainOf(`http://${word}`)) || []);
  return { domains, names, words: domains.length + words.length };
}

function readBlocked(entries: readonly string[]): Blocked {
  const blocked: Blocked = { domains: [], names: [], anybody: false, unread: [] };
  let words = 0;
  for (const [index, entry] of entries.entries()) {
    if (PLAIN_DOMAIN.test(entry)) {
      blocked.domains.push(entry);
      continue;
    }
    let isRead = true;
    for (const text of entry.split(BETWEEN).filter(Boolean)) {
      if (words >= MOST_WORDS) return { ...blocked, anybody: true, unread: [...blocked.unread, index] };
      const part = readPart(text);
      words += part.words;
      blocked.domains.push(...part.domains);
      blocked.names.push(...part.names);
      blocked.anybody ||= part.domains.length + part.names.length === 0;
      isRead &&= part.domains.length > 0 && part.names.length === 0;
    }
    if (!isRead) blocked.unread.push(index);
  }
  return blocked;
}

/**
 * Whether the domain of an advertiser is among those that a request blocks. What is no domain blocks what it may mean: a name all domains that
 * have it for a part, and what names nothing everybody. An exchange's list has thousands of entries: it is read when a campaign is first asked for.
 */
export function createAdvertiserFilter(entries: readonly string[]): (domain: string) => boolean {
  if (entries.length === 0) return () => false;
  let read: { isIn: (domain: string) => boolean; names: Set<string>; anybody: boolean } | undefined;
  return (domain) => {
    if (!read) {
      const { domains, names, anybody } = readBlocked(entries);
      read = { isIn: hostFilter(domains), names: new Set(names), anybody };
    }
    const { isIn, names, anybody } = read;
    return anybody || isIn(domain) || (names.size > 0 && domain.split('.').some((part) => names.has(part)));
  };
}

/** Where a list of blocked advertisers has what is neither a domain nor several; of one that is too much to read, up to there. */
export const findUnclearAdvertisers = (entries: readonly string[]): number[] => readBlocked(entries).unread;
