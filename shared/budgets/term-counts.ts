/** A keyword or phrase with its kind, such as `k:running shoes`. */
export type Term = `${'k' | 'p'}:${string}`;

export const toTerm = (kind: 'keyword' | 'phrase', text: string): Term => `${kind === 'keyword' ? 'k' : 'p'}:${text}`;

/** What records add to a term of a campaign in a month. */
export interface TermCounts {
  campaignId: string;
  /** The UTC month, such as `2026-10`. */
  month: string;
  term: Term;
  impressions: number;
  clicks: number;
  seen: Seen;
}

/**
 * The conversations of a term: the hash of each, which begins with the hash of its owner; or ENOUGH. Four hashes suffice: a fifth makes it
 * ENOUGH, unless all five are of one owner, and then it need not be kept.
 */
export type Seen = string;
export const ENOUGH: Seen = '!';
const [MIN_CONVERSATIONS, MIN_OWNERS] = [5, 2];
export const [OWNER_DIGITS, CONVERSATION_DIGITS] = [2, 3];
const SEEN = new RegExp(`.{${OWNER_DIGITS + CONVERSATION_DIGITS}}`, 'g');

/** The conversations of both, in any order of adding. */
export function addSeen(known: Seen, more: Seen): Seen {
  if (known === ENOUGH || more === ENOUGH) return ENOUGH;
  const hashes = new Set(known.match(SEEN));
  for (const hash of more.match(SEEN) ?? []) {
    if (hashes.has(hash)) continue;
    const owners = new Set([...hashes, hash].map((one) => one.slice(0, OWNER_DIGITS)));
    if (hashes.size + 1 < MIN_CONVERSATIONS) hashes.add(hash);
    else if (owners.size >= MIN_OWNERS) return ENOUGH;
  }
  return [...hashes].join('');
}

/** Adds up the counts of each term. */
export function sumTerms(all: readonly TermCounts[]): TermCounts[] {
  const sums = new Map<string, TermCounts>();
  for (const one of all) {
    const name = `${one.campaignId} ${one.month} ${one.term}`;
    const { impressions = 0, clicks = 0, seen = '' } = sums.get(name) ?? {};
    sums.set(name, {
      ...one,
      impressions: impressions + one.impressions,
      clicks: clicks + one.clicks,
      seen: addSeen(seen, one.seen),
    });
  }
  return [...sums.values()];
}
