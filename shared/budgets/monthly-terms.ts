import { createHmac } from 'node:crypto';
import { REPORTED_MS } from '../platform/breakdowns.ts';
import { DAY_MS, ttlAt } from '../platform/clock.ts';
import { type Amounts, addedUp, type CountedRow, endedPositions } from '../platform/count-once.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import { createSecretReader } from '../platform/service-secret.ts';
import { remember } from '../platform/values/cache.ts';
import {
  addSeen,
  CONVERSATION_DIGITS,
  ENOUGH,
  OWNER_DIGITS,
  type Seen,
  type Term,
  type TermCounts,
} from './term-counts.ts';

/**
 * What won: how often a campaign was shown for each of its keywords and lexicon phrases in a UTC month. A report names a term only if enough
 * conversations shared it. Two kinds of rows in `ledgers` serve this:
 *
 * - `seen#2026-10` gives each term its number, and remembers the conversations of a term until there are enough. It contains nothing but short
 *   keyed hashes, and expires soon after the month. Terms and conversations are only added, so repeated records change nothing.
 * - `terms#2026-10#0` and further pages contain counts by number, and the texts of the terms with enough conversations. Kept for two years.
 */

/** Creates keyed hashes that differ by campaign, month, and term, so that none can be recognized elsewhere. */
export function createTermHashes(effects: Pick<Effects, 'db' | 'ids'>) {
  const readSecret = createSecretReader(effects);
  type Of = Pick<TermCounts, 'campaignId' | 'month' | 'term'>;

  /** No user ID begins with a control character, so this hash never equals that of a conversation under the same secret. */
  const hash = (secret: string, { campaignId, month, term }: Of, what: string, digits: number): string =>
    createHmac('sha256', secret)
      .update(`\x01term\n${campaignId}\n${month}\n${term}\n${what}`)
      .digest('base64url')
      .slice(0, digits);

  return {
    /** @param conversation the `conversationCode` of the bid */
    async hashConversation(of: Of, owner: string, conversation: string): Promise<Seen> {
      const secret = await readSecret();
      return hash(secret, of, owner, OWNER_DIGITS) + hash(secret, of, `${owner}\n${conversation}`, CONVERSATION_DIGITS);
    },

    async hashTerms(terms: readonly Of[]): Promise<string[]> {
      const secret = await readSecret();
      return terms.map((of) => hash(secret, of, '', TERM_DIGITS));
    },
  };
}

/** Terms of a campaign and month with their own counts; later ones are counted together. */
const MAX_TERMS = 200;
/** Rows that an instance remembers: 6 MB. */
const MAX_ROWS = 1_000;
/** Terms on a page. So few usually fit into one write unit. */
const PAGE_TERMS = 10;
const TERM_DIGITS = 6;
/** How long records of a month may arrive: streams keep them for a day, and parked ones are processed later. */
const OPEN_MS = 8 * DAY_MS;

/** The first millisecond after a UTC month. */
const getMonthEnd = (month: string): number => {
  const [year, number] = month.split('-').map(Number);
  return Date.UTC(year!, number!, 1);
};
const getTtl = (month: string): number => ttlAt(getMonthEnd(month) + REPORTED_MS);

/** The terms of a month by number: the hash of each, followed by what is `Seen`. */
export interface SeenRow {
  campaignId: string;
  row: `seen#${string}`;
  terms: string[];
  /** Increases with each write. */
  revision: number;
  ttl: number;
}

/** Counts of terms by number: impressions `i7`, clicks `k7`, and the text `t7` if enough conversations shared it. Those of all others: `i`, `k`. */
export interface TermsPage {
  campaignId: string;
  row: `terms#${string}`;
  ttl: number;
  [count: `${'i' | 'k'}${string}`]: number;
  [text: `t${number}`]: Term;
}

export const isTerms = (item: { row: string }): item is TermsPage => item.row.startsWith('terms#');

/** The number of a term in its month, and whether reports may name it. */
interface NumberedTerm {
  number: number;
  isEnough: boolean;
}

/**
 * Numbers the terms of a campaign and month, and adds their conversations.
 * @returns the terms with a number; the others are counted together
 */
export function createTermNumbers(effects: Pick<Effects, 'db' | 'clock' | 'ids'>) {
  const { db, clock } = effects;
  const { hashTerms } = createTermHashes(effects);
  /** Rows as they were: what changes nothing in one of them changes nothing now, because rows only grow. */
  const rows = new Map<string, SeenRow>();

  return async (terms: readonly TermCounts[]): Promise<Map<Term, NumberedTerm>> => {
    const { campaignId, month } = terms[0]!;
    const ttl = ttlAt(getMonthEnd(month) + OPEN_MS);
    // Once the row may be gone, its numbers are unknown, and others would count for the wrong terms.
    if (ttl <= ttlAt(clock.now())) return new Map();
    const hashes = await hashTerms(terms);
    const hashed = terms.map(({ term, seen }, at) => ({ term, seen, hash: hashes[at]! }));
    const key = { campaignId, row: `seen#${month}` as const };
    const name = `${campaignId} ${month}`;
    for (let item = rows.get(name) ?? (await db.get('ledgers', key)); ; ) {
      const row = item && 'revision' in item ? item : undefined;
      if (row) remember(rows, name, row, MAX_ROWS);
      const { next, isSame, numbered } = addToRow(row?.terms ?? [], hashed);
      if (isSame) return numbered;
      const revision = row?.revision ?? 0;
      const put: SeenRow = { ...key, terms: next, revision: revision + 1, ttl };
      // Settles the race with another batch that adds to the row: the refused one adds to what it left.
      const when = row ? '#revision = :revision' : 'attribute_not_exists(#campaignId)';
      const written = await db.write({ table: 'ledgers', put, when, ...(row && { values: { revision } }) });
      item = written.ok ? put : written.old;
    }
  };
}

/** Adds terms to those of a row, as far as there is room, and numbers them by their places. */
function addToRow(stored: readonly string[], added: readonly { term: Term; hash: string; seen: Seen }[]) {
  const all = new Map(stored.map((one) => [one.slice(0, TERM_DIGITS), one.slice(TERM_DIGITS)]));
  for (const { hash, seen } of added)
    if (all.has(hash) || all.size < MAX_TERMS) all.set(hash, addSeen(all.get(hash) ?? '', seen));
  const numbers = new Map([...all.keys()].map((hash, number) => [hash, number]));
  const numbered = added.flatMap(({ term, hash }) => {
    const number = numbers.get(hash);
    return number === undefined ? [] : [[term, { number, isEnough: all.get(hash) === ENOUGH }] as const];
  });
  const next = [...all].map(([hash, seen]) => hash + seen);
  const isSame = next.length === stored.length && next.every((one, at) => one === stored[at]);
  return { next, isSame, numbered: new Map(numbered) };
}

/** What terms add to a page of their month. */
interface PageCounts {
  row: CountedRow<'ledgers'>;
  page: number;
  counts: Amounts;
}

/** The counts to add to each page, and the texts that reports may show. */
export function toPages(terms: readonly TermCounts[], numbered: ReadonlyMap<Term, NumberedTerm>): PageCounts[] {
  const { campaignId, month } = terms[0]!;
  const pages = Map.groupBy(terms, ({ term }) => Math.floor((numbered.get(term)?.number ?? 0) / PAGE_TERMS));
  return [...pages].map(([page, ofPage]) => {
    const set: Record<string, unknown> = { ttl: getTtl(month) };
    const counts = ofPage.map(({ term, impressions, clicks }) => {
      const { number = '', isEnough = false } = numbered.get(term) ?? {};
      if (isEnough) set[`t${number}`] = term;
      return {
        counts: { ...(impressions && { [`i${number}`]: impressions }), ...(clicks && { [`k${number}`]: clicks }) },
      };
    });
    const key = { campaignId, row: `terms#${month}#${page}` as const };
    return { page, row: { table: 'ledgers', key, set }, counts: addedUp(counts) };
  });
}

/** A write that marks a record as counted on a page. In a transaction with the counts, it prevents counting a parked record twice. */
export function markTerms({ row: { key } }: PageCounts, month: string, what: string): Write<'ledgers'> {
  const put = { campaignId: key.campaignId, row: `mark#${what}#${key.row}` as const, ttl: getTtl(month) };
  return { table: 'ledgers', put, when: 'attribute_not_exists(#campaignId)' };
}

/** Positions of expired shards that may stay on a page, because removing them costs a write. */
const MAX_ENDED_POSITIONS = 8;

/** Keeps a page small: removes the positions of expired stream shards, which no write uses any more. */
export async function compactTerms({ db, clock }: Pick<Effects, 'db' | 'clock'>, page: TermsPage): Promise<void> {
  const positions = endedPositions(page, clock.now());
  if (positions.length <= MAX_ENDED_POSITIONS) return;
  const { campaignId, row } = page;
  const update = `REMOVE ${positions.map((name) => `#${name}`).join(', ')}`;
  await db.write({ table: 'ledgers', key: { campaignId, row }, update, when: 'attribute_exists(#campaignId)' });
}

/** The counts of a month: of each term that may be named, most impressions first, and of all others together. */
export async function readTerms({ db }: Pick<Effects, 'db'>, campaignId: string, month: string) {
  const named: { term: Term; impressions: number; clicks: number }[] = [];
  const others = { impressions: 0, clicks: 0 };
  const found = db.query({
    table: 'ledgers',
    where: '#campaignId = :campaignId AND #row BETWEEN :from AND :to',
    values: { campaignId, from: `terms#${month}#`, to: `terms#${month}#~` },
    consistent: true,
  });
  for await (const page of found) {
    const of = (letter: string, number: string) => Number(Reflect.get(page, `${letter}${number}`) ?? 0);
    const numbers = Object.keys(page).flatMap((name) => /^[ik](\d*)$/.exec(name)?.[1] ?? []);
    for (const number of new Set(numbers)) {
      const counts = { impressions: of('i', number), clicks: of('k', number) };
      const term: Term | undefined = Reflect.get(page, `t${number}`);
      if (term) named.push({ term, ...counts });
      else {
        others.impressions += counts.impressions;
        others.clicks += counts.clicks;
      }
    }
  }
  named.sort((a, b) => b.impressions - a.impressions || b.clicks - a.clicks || (a.term < b.term ? -1 : 1));
  return { named, others };
}
