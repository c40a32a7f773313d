import { createHash } from 'node:crypto';
import { MINUTE_MS } from './clock.ts';
import { setting, type Values } from './database.ts';
import type { Effects } from './effects.ts';
import type { Item, Key } from './items.ts';
import type { TableName } from './tables.ts';
import { base62, bytesToInteger } from './values/ids.ts';

/** Numbers that are added to attributes of a row. */
export type Amounts = Record<string, number>;

/** The row to add to, and other attributes to set: those of the last record of a batch. */
export interface CountedRow<T extends TableName = TableName> {
  table: T;
  key: Key<T>;
  set?: Values;
}

/** What one stream record adds to a row. */
export interface Addition {
  sequence: string;
  counts: Amounts;
}

/**
 * Adds the amounts of stream records from one shard to a row. Counts each record once, even if Lambda repeats it or splits its batch.
 * @returns the additions that were new, and the row: after the write, or as it was found if nothing was new
 */
export const countOnce = <T extends TableName, A extends Addition>(
  effects: Pick<Effects, 'db' | 'clock'>,
  row: CountedRow<T>,
  shard: string,
  additions: readonly A[],
) => writeOnce(effects, shard, additions, (left, position) => addTo(row, addedUp(left), position));

export interface Update<T extends TableName = TableName> {
  table: T;
  key: Key<T>;
  update: string;
  values: Values;
  /** A further condition. If it fails, the write is built again from the item that was found. */
  when?: string;
}

/** What a refused write found; `item` is undefined if there was none. */
interface Found<T extends TableName = TableName> {
  item: Item<T> | undefined;
}

/**
 * Writes stream records from one shard to an item, each record once. The item stores its position in the shard, and only records after
 * that position are written. This requires that Lambda first delivers the records of a shard in order, one batch at a time.
 * @param records in the order of the shard
 * @param writeOf returns the write for the remaining records; it must set the given position. `found` is set once a write was refused
 */
export async function writeOnce<T extends TableName, R extends { sequence: string }>(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  shard: string,
  records: readonly R[],
  writeOf: (left: readonly R[], position: Values, found?: Found<T>) => Update<T>,
): Promise<{ counted: readonly R[]; row?: Item<T> }> {
  const name = positionName(shard);
  let left = records;
  let found: Found<T> | undefined;
  while (left.length > 0) {
    const write = writeOf(left, { [name]: positionText(left.at(-1)!.sequence, clock.now()) }, found);
    const isNew = isBefore(name);
    const written = await db.write(
      {
        ...write,
        // Another attempt may write the same records: a repeated batch, possibly split differently, or a retry after a lost response.
        when: write.when ? `${isNew} AND ${write.when}` : isNew,
        values: { ...write.values, first: sequenceText(left[0]!.sequence) },
      },
      'new',
    );
    if (written.ok) return { counted: left, row: written.item };
    found = { item: written.old };
    left = withoutCounted(left, written.old, name);
  }
  return { counted: [], ...(found?.item && { row: found.item }) };
}

/** The update that adds `counts` to a row and sets its other attributes. */
export function addTo<T extends TableName>({ table, key, set }: CountedRow<T>, counts: Amounts, more: Values = {}) {
  const values = { ...set, ...more };
  const [assignments, additions] = [setting(Object.keys(values)), addends(counts)];
  return {
    table,
    key,
    update: [assignments && `SET ${assignments}`, additions && `ADD ${additions}`].filter(Boolean).join(' '),
    values: { ...values, ...counts },
  };
}

/** The operands of an ADD expression. */
export const addends = (counts: Amounts): string =>
  Object.keys(counts)
    .map((name) => `#${name} :${name}`)
    .join(', ');

/** The sums of several additions. */
export function addedUp(additions: readonly Pick<Addition, 'counts'>[]): Amounts {
  const sums: Amounts = {};
  for (const { counts } of additions)
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

/**
 * The attribute of a row that stores its position in one shard: the sequence number of the last record that was added. Sequence numbers
 * have up to 40 digits and are ordered only within their shard.
 */
export type PositionName = `at_${string}`;

/** The condition that a row has counted none of the records from `:first` on. */
export const isBefore = (name: PositionName): string => `(attribute_not_exists(#${name}) OR #${name} < :first)`;

/** 40 decimal digits in base 62. Padding makes strings compare like the numbers. */
const DIGITS = 23;
/** A shard receives records for up to 4 hours, and the stream keeps records for 24. The rest is margin. */
const KEPT_HOURS = 52;

/** @param shard identifies the shard and its stream */
export const positionName = (shard: string): PositionName =>
  `at_${base62(bytesToInteger(createHash('sha256').update(shard).digest().subarray(0, 8)), 11)}`;

/** A sequence number in a form that compares with positions. */
export const sequenceText = (sequence: string): string => base62(BigInt(sequence), DIGITS);

/** The stored position: the sequence number and the hour of the write, which decides when the position expires. */
export const positionText = (sequence: string, now: number): string =>
  `${sequenceText(sequence)}@${toHour(now).toString(36)}`;

/** The records after the position of a row, which has counted or skipped the others. */
export function withoutCounted<R extends { sequence: string }>(
  records: readonly R[],
  row: object = {},
  name: PositionName,
): readonly R[] {
  const position: unknown = Reflect.get(row, name);
  if (position === undefined) return records;
  return records.filter(({ sequence }) => sequenceText(sequence) > String(position).slice(0, DIGITS));
}

/** The names of expired positions: their shards cannot deliver records any more. */
export const endedPositions = (row: object, now: number): PositionName[] =>
  Object.entries(row).flatMap(([name, value]) =>
    isPositionName(name) && toHour(now) - Number.parseInt(String(value).slice(DIGITS + 1), 36) > KEPT_HOURS
      ? [name]
      : [],
  );

const isPositionName = (name: string): name is PositionName => name.startsWith('at_');
const toHour = (now: number): number => Math.floor(now / (60 * MINUTE_MS));
