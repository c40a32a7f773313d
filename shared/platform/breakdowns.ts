import type { Amounts } from './count-once.ts';
import type { Effects } from './effects.ts';

/**
 * Breakdowns: the counts of a UTC day by value of a dimension, such as impressions by country.
 *
 * They are stored in pages. The first page of a day contains the first values of all dimensions, so that counting a campaign or key with
 * few values takes one write. A full page never gets another value; further values are on pages of their dimension. After the first
 * MAX_VALUES values of a dimension, the others are counted together as OTHER.
 */

/** Dimensions and the letters that stand for them in stored attributes. */
const LETTERS = { country: 'c', publisher: 'p', topic: 't', creative: 'r', variant: 'v', domain: 'd' } as const;

export type Dimension = keyof typeof LETTERS;

/** The dimensions of a campaign and of a key. */
export const campaignDimensions = ['country', 'publisher', 'topic', 'creative', 'variant'] as const;
export const keyDimensions = ['country', 'domain', 'variant'] as const;

/** Counted for bids without a value, such as bids of users who have opted out. */
export const NONE = 'none';
/** Counted for values after the first MAX_VALUES of a day. */
export const OTHER = 'other';
/** Reports show under this name what was counted before there were breakdowns. */
export const UNATTRIBUTED = 'unattributed';

/** Names of counts, and the letters that stand for them. The amount that a key was charged is stored by share: `charged_7000`. */
const COUNTS = {
  bids: 'b',
  impressions: 'i',
  clicks: 'k',
  conversions: 'n',
  spend: 's',
  conversionValue: 'w',
} as const;
const NAMES = new Map<string, string>(Object.entries(COUNTS).map(([name, letter]) => [letter, name]));
const CHARGED = 'charged_';
const CHARGED_LETTER = 'e';

const fromShort = (short: string): string => NAMES.get(short) ?? `${CHARGED}${short.slice(CHARGED_LETTER.length)}`;

/** Whose counts are broken down. */
export type Subject = { campaignId: string } | { keyId: string };

/**
 * The counts of a day by value. Campaigns have `impressions`, `clicks`, `conversions`, `spend`, and `conversionValue` (micro-dollars); keys
 * have `bids`, `impressions`, `clicks`, and what was charged by share, as in key-days (`charged_7000`). A count is absent if it is 0.
 */
export interface BreakdownDay {
  date: string;
  values: Map<string, Amounts>;
}

/** A stored attribute: the name of a value, such as `c_4kTz`, or a count of it, such as `c_4kTzi`. */
const ATTRIBUTE = /^([a-z])_([0-9A-Za-z]{4})([a-z]\d*)?$/;

/** Row names of the pages after a day's first: `by#country#2026-11-20#1`. Key days and the rows of a campaign's days sort before them. */
const pagePrefix = (dimension: Dimension, day: string): string => `by#${dimension}#${day}`;

/**
 * The breakdown of each day with counts in a period, oldest first. Reads all pages of the dimension: for a campaign that has reached all
 * countries, up to 40 KB a day, so bound the period.
 */
export async function readBreakdown(
  { db }: Pick<Effects, 'db'>,
  subject: Subject,
  dimension: Dimension,
  from: string,
  to: string,
): Promise<BreakdownDay[]> {
  const days = new Map<string, Map<string, Amounts>>();
  const collect = (date: string, page: object) => {
    const values = days.get(date) ?? new Map<string, Amounts>();
    for (const [value, counts] of readPage(page, dimension)) {
      const sum = values.get(value) ?? {};
      for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
      values.set(value, sum);
    }
    if (values.size > 0) days.set(date, values);
  };
  const [first, last] = [pagePrefix(dimension, from), `${pagePrefix(dimension, to)}#~`];
  if ('keyId' in subject) {
    const where = '#keyId = :keyId AND #day BETWEEN :from AND :to';
    const query = { table: 'key-days', where, consistent: true } as const;
    for (const [start, end] of [
      [from, to],
      [first, last],
    ])
      for await (const row of db.query({ ...query, values: { ...subject, from: start, to: end } }))
        collect(toDay(row.day), row);
  } else {
    const where = '#campaignId = :campaignId AND #row BETWEEN :from AND :to';
    const query = { table: 'ledgers', where, consistent: true } as const;
    for (const [start, end] of [
      [`by#${from}`, `by#${to}`],
      [first, last],
    ])
      for await (const row of db.query({ ...query, values: { ...subject, from: start, to: end } }))
        collect(toDay(row.row), row);
  }
  return [...days].map(([date, values]) => ({ date, values })).sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** The day in the name of a page's row. */
const toDay = (row: string): string => /\d{4}-\d\d-\d\d/.exec(row)?.[0] ?? '';

/** The values of one dimension on a page, with their counts. */
function readPage(page: object, dimension: Dimension): Map<string, Amounts> {
  const letter = LETTERS[dimension];
  const found = new Map<string, Amounts>();
  const attributes = Object.entries(page).flatMap(([attribute, content]) => {
    const match = ATTRIBUTE.exec(attribute);
    return match?.[1] === letter ? [{ code: match[2]!, short: match[3], content }] : [];
  });
  const values = new Map(attributes.flatMap(({ code, short, content }) => (short ? [] : [[code, String(content)]])));
  for (const { code, short, content } of attributes) {
    const value = values.get(code);
    if (!short || value === undefined) continue;
    found.set(value, { ...found.get(value), [fromShort(short)]: Number(content) });
  }
  return found;
}
