import { createHash } from 'node:crypto';
import { DAY_MS, ttlAt } from './clock.ts';
import { type Amounts, addedUp, addTo, type CountedRow, type Update } from './count-once.ts';
import type { Database, Values, Write } from './database.ts';
import type { Effects } from './effects.ts';
import {
  campaignDimensions,
  DIMENSIONS,
  type Dimension,
  type DimensionValues,
  keyDimensions,
  OTHER,
} from './values/dimensions.ts';
import { base62, bytesToInteger } from './values/ids.ts';
import { getKeys, toRecord } from './values/typed.ts';

/**
 * Breakdowns: the counts of a UTC day by value of a dimension, such as impressions by country.
 *
 * They are stored in pages. The first page of a day contains the first values of all dimensions, so that counting a campaign or key with
 * few values takes one write; a key's is the row of its day. A full page never gets another value: a value that it lacks is on a later page,
 * and each dimension has its own. After the first values of a dimension, further ones are counted together as OTHER.
 */

/** The number of values of a day that have their own counts. All countries do. */
const getMaxValues = (dimension: Dimension): number => (dimension === 'country' ? Number.POSITIVE_INFINITY : 100);
/** Values on the first page. So few fit into the write unit of a key's day, and into one of a campaign. */
const FIRST_PAGE_VALUES = { campaign: 12, key: 6 };
/**
 * Values on a later page. With 64 bytes and all counts each, a page is below 6 KB, and an update below the 4 KB of an expression. Smaller
 * pages cost less if a campaign's ads are shown about once a minute, and more if they are shown more often.
 */
const PAGE_VALUES = 24;
/** Reports go back two years. */
export const REPORTED_MS = 731 * DAY_MS;

/** Names of counts, and the letters that stand for them. Charges of a key are counted by the publisher's share (`charged_7000`). */
const COUNTS = { bids: 'b', impressions: 'i', clicks: 'k', conversions: 'n', spend: 's', conversionValue: 'w' };
const SHORT = new Map<string, string>(Object.entries(COUNTS));
const LONG = new Map<string, string>(Object.entries(COUNTS).map(([name, letter]) => [letter, name]));
const [CHARGED, CHARGED_LETTER] = ['charged_', 'e'];
const toShort = (name: string): string => SHORT.get(name) ?? name.replace(CHARGED, CHARGED_LETTER);
const toLong = (short: string): string => LONG.get(short) ?? short.replace(CHARGED_LETTER, CHARGED);

/** Whose counts are broken down. */
export type Subject = { campaignId: string } | { keyId: string };

/** Counts of a value. */
export interface ValueCounts {
  dimension: Dimension;
  value: string;
  counts: Amounts;
}

/** A page of the counts of a day. */
export interface Page {
  subject: Subject;
  day: string;
  /** Undefined for the first page, which all dimensions share. */
  dimension?: Dimension;
  /** 0 for the first page. */
  number: number;
  /** Values of the dimension that are on earlier pages. */
  valuesBefore: number;
}

export const firstPage = (subject: Subject, day: string): Page => ({ subject, day, number: 0, valuesBefore: 0 });

/** The counts of each dimension that a subject has. */
export const breakDown = (subject: Subject, values: DimensionValues, counts: Amounts): ValueCounts[] =>
  ('keyId' in subject ? keyDimensions : campaignDimensions).map((dimension) => ({
    dimension,
    value: values[dimension],
    counts,
  }));

/** What pages add to the rows of their tables, in addition to their values. */
export interface PageItem {
  /** The number of values. */
  values?: number;
  /** Whether the page ever skipped records, whose parked copies count. */
  hasSkipped?: boolean;
  ttl: number;
}

/**
 * The attribute that names a value, such as `c_4kTz09`. Those of its counts begin with it, such as `c_4kTz09i`. The code is a hash of the value,
 * long enough that two values on one page do not share it by chance.
 */
const NAME = /^[a-z]_[0-9A-Za-z]{6}$/;
const CODE_DIGITS = 6;
const CODES = 62n ** BigInt(CODE_DIGITS);

function toAttribute(dimension: Dimension, value: string): string {
  const cache = attributeCaches[dimension];
  const cached = cache.get(value);
  if (cached) return cached;
  const hash = bytesToInteger(createHash('sha256').update(value).digest().subarray(0, 8));
  const attribute = `${DIMENSIONS[dimension]}_${base62(hash % CODES, CODE_DIGITS)}`;
  if (cache.size === MAX_CACHED_ATTRIBUTES) cache.clear();
  cache.set(value, attribute);
  return attribute;
}

/** By value. A batch needs each attribute many times, and without the caches, hashing takes a third of its time. */
const attributeCaches = toRecord(getKeys(DIMENSIONS), () => new Map<string, string>());
/** Of each dimension: 2 MB. */
const MAX_CACHED_ATTRIBUTES = 10_000;

const pagePrefix = (dimension: Dimension, day: string) => `by#${dimension}#${day}#` as const;
/** When a day's counts expire. */
export const getDayTtl = (day: string): number => ttlAt(Date.parse(day) + REPORTED_MS);

/** The row of a page. In both tables, the names of later pages (`by#country#2026-11-20#1`) sort behind the days. */
export function pageRow({ subject, day, dimension, number }: Page): CountedRow<'ledgers' | 'key-days'> {
  const later = dimension && `${pagePrefix(dimension, day)}${number}`;
  const set = { ttl: getDayTtl(day) };
  return 'keyId' in subject
    ? { table: 'key-days', key: { keyId: subject.keyId, day: later ?? day }, set }
    : { table: 'ledgers', key: { campaignId: subject.campaignId, row: later ?? `by#${day}` }, set };
}

/** A write that marks a record as counted on a page. In a transaction with the counts, it prevents counting a retried parked record twice. */
export function markPage({ subject, day, dimension, number }: Page, what: string): Write<'ledgers' | 'key-days'> {
  const mark = `mark#${what}${dimension ? `#${dimension}#${number}` : ''}` as const;
  const ttl = getDayTtl(day);
  return 'keyId' in subject
    ? { table: 'key-days', put: { ...subject, day: mark, ttl }, when: 'attribute_not_exists(#keyId)' }
    : { table: 'ledgers', put: { ...subject, row: mark, ttl }, when: 'attribute_not_exists(#campaignId)' };
}

/** The values on a page, by the attributes that name them. A page never loses a value. */
export type StoredValues = ReadonlySet<string>;

export const valuesOn = (item: object = {}): StoredValues =>
  new Set(Object.keys(item).filter((name) => NAME.test(name)));

const ofDimension = (stored: StoredValues, dimension: Dimension): string[] =>
  [...stored].filter((attribute) => attribute.startsWith(DIMENSIONS[dimension]));

/** Adds up the counts of each value, by the attribute that names it. */
function sumByAttribute(values: readonly ValueCounts[]): Map<string, ValueCounts> {
  const byAttribute = Map.groupBy(values, ({ dimension, value }) => toAttribute(dimension, value));
  return new Map([...byAttribute].map(([attribute, all]) => [attribute, { ...all[0]!, counts: addedUp(all) }]));
}

/** Adds up the counts of each value. */
export const sumValues = (values: readonly ValueCounts[]): ValueCounts[] => [...sumByAttribute(values).values()];

const namesOf = (values: ReadonlyMap<string, ValueCounts>): Values =>
  Object.fromEntries([...values].map(([attribute, { value }]) => [attribute, value]));

const countsOf = (values: ReadonlyMap<string, ValueCounts>): Amounts =>
  Object.fromEntries(
    [...values].flatMap(([attribute, { counts }]) =>
      Object.entries(counts).map(([name, count]) => [`${attribute}${toShort(name)}`, count] as const),
    ),
  );

/** Whether values that do not fit on a page are counted as OTHER there. */
const isLast = ({ dimension, valuesBefore }: Page): boolean =>
  dimension !== undefined && valuesBefore + PAGE_VALUES >= getMaxValues(dimension);

/** How many values fit on a page, in addition to OTHER. */
const getCapacity = ({ subject, dimension, valuesBefore }: Page): number =>
  dimension
    ? Math.min(PAGE_VALUES, getMaxValues(dimension) - valuesBefore)
    : FIRST_PAGE_VALUES['keyId' in subject ? 'key' : 'campaign'];

/** How many further values fit on a page. */
const getRoom = (page: Page, stored: StoredValues): number =>
  getCapacity(page) - stored.size + (page.dimension && stored.has(toAttribute(page.dimension, OTHER)) ? 1 : 0);

/** Whether a page has none of these values, and no place for them. Once this is so, it stays so. */
export const isPassed = (page: Page, stored: StoredValues, values: readonly ValueCounts[]): boolean =>
  getRoom(page, stored) <= 0 && values.every(lacks(page, stored));

/**
 * The update that adds values to a page, as far as they are on it or fit, and `counts` to its row.
 * @param stored the values on the page, as far as they are known
 */
export function addToPage(
  page: Page,
  values: readonly ValueCounts[],
  counts: Amounts,
  position: Values,
  stored: StoredValues,
): Update {
  const placed = new Map<string, ValueCounts>();
  const others: ValueCounts[] = [];
  let room = getRoom(page, stored);
  for (const [attribute, one] of sumByAttribute(values)) {
    if (stored.has(attribute) || room-- > 0) placed.set(attribute, one);
    else others.push({ ...one, value: OTHER });
  }
  if (isLast(page)) for (const [attribute, one] of sumByAttribute(others)) placed.set(attribute, one);
  const added = new Map([...placed].filter(([attribute]) => !stored.has(attribute)));
  const row = pageRow(page);
  const all = { ...counts, ...countsOf(placed) };
  // Needs no condition: a page keeps its values.
  if (added.size === 0) return addTo(row, all, position);
  const update = addTo(row, all, { ...position, ...namesOf(added), values: stored.size + added.size });
  // Settles the race with another instance that adds values: the page may be full by then, or contain these.
  return stored.size === 0
    ? { ...update, when: 'attribute_not_exists(#values)' }
    : { ...update, when: '#values = :known', values: { ...update.values, known: stored.size } };
}

/** The update that counts nothing on a page. */
export const skipOnPage = (page: Page, position: Values): Update =>
  addTo(pageRow(page), {}, { ...position, hasSkipped: true });

/** Whether a page lacks a value after an update, because it did not fit. The value is on a later page for good. */
export function lacks(page: Page, stored: StoredValues): (value: ValueCounts) => boolean {
  if (isLast(page)) return () => false;
  return ({ dimension, value }) => !stored.has(toAttribute(dimension, value));
}

/** The next page of a dimension. */
export function nextPage(page: Page, dimension: Dimension, stored: StoredValues): Page {
  const valuesBefore = page.valuesBefore + ofDimension(stored, dimension).length;
  return { ...page, dimension, number: page.number + 1, valuesBefore };
}

/** The counts of a day by value; a count of 0 is absent. */
export interface BreakdownDay {
  date: string;
  values: Map<string, Amounts>;
}

/**
 * The breakdown of each day with counts in a period, oldest first. Campaigns have `impressions`, `clicks`, `conversions`, `spend`, and
 * `conversionValue` (micro-dollars); keys have `bids`, `impressions`, `clicks`, and charges by share, as in key-days (`charged_7000`).
 * Reads up to 25 KB a day, or 60 KB by country, so bound the period.
 */
export async function readBreakdown(
  { db }: Pick<Effects, 'db'>,
  subject: Subject,
  dimension: Dimension,
  from: string,
  to: string,
): Promise<BreakdownDay[]> {
  const days = new Map<string, Map<string, Amounts>>();
  const onFirst = 'keyId' in subject ? ([from, to] as const) : ([`by#${from}`, `by#${to}`] as const);
  const onLater = [pagePrefix(dimension, from), `${pagePrefix(dimension, to)}~`] as const;
  for (const [start, end] of [onFirst, onLater])
    for await (const item of queryRows(db, subject, start, end)) {
      const [date = ''] = /\d{4}-\d\d-\d\d/.exec('row' in item ? item.row : item.day) ?? [];
      const values = days.get(date) ?? new Map<string, Amounts>();
      for (const { value, counts } of readPage(item, dimension))
        values.set(value, addedUp([{ counts: values.get(value) ?? {} }, { counts }]));
      if (values.size > 0) days.set(date, values);
    }
  return [...days].map(([date, values]) => ({ date, values })).sort((a, b) => (a.date < b.date ? -1 : 1));
}

const queryRows = (db: Database, subject: Subject, start: string, end: string) =>
  'keyId' in subject
    ? db.query({
        table: 'key-days',
        where: '#keyId = :keyId AND #day BETWEEN :start AND :end',
        values: { ...subject, start, end },
        consistent: true,
      })
    : db.query({
        table: 'ledgers',
        where: '#campaignId = :campaignId AND #row BETWEEN :start AND :end',
        values: { ...subject, start, end },
        consistent: true,
      });

/** The values of a dimension on a page. */
function readPage(item: object, dimension: Dimension): ValueCounts[] {
  const entries = Object.entries(item);
  return ofDimension(valuesOn(item), dimension).map((attribute) => ({
    dimension,
    value: String(Reflect.get(item, attribute)),
    counts: Object.fromEntries(
      entries
        .filter(([name]) => name.startsWith(attribute) && name !== attribute)
        .map(([name, count]) => [toLong(name.slice(attribute.length)), Number(count)]),
    ),
  }));
}
