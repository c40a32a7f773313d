import { createHash } from 'node:crypto';
import { MINUTE_MS } from './clock.ts';
import { setting, type Values } from './database.ts';
import type { Effects } from './effects.ts';
import type { Item, Key } from './items.ts';
import type { TableName } from './tables.ts';
import { base62, bytesToInteger } from './values/ids.ts';

/** Numbers that are added to attributes of a row. */
export type Amounts = Record<string, number>;

/** A row that is counted in, and what it is to say besides. */
export interface CountedRow<T extends TableName = TableName> {
  table: T;
  key: Key<T>;
  set?: Values;
}

/** What one record of a shard adds to a row. */
export interface Addition {
  sequence: string;
  counts: Amounts;
}

/**
 * Adds what records of one shard come to, to one row, each record once however often and in whatever parts it comes.
 * @returns the additions that were new, and the row where any was
 */
export const countOnce = <T extends TableName, A extends Addition>(
  effects: Pick<Effects, 'db' | 'clock'>,
  row: CountedRow<T>,
  shard: string,
  additions: readonly A[],
) => writeOnce(effects, shard, additions, (left, position) => addTo(row, addedUp(left), position));

/** A change of one item. */
interface Update<T extends TableName> {
  table: T;
  key: Key<T>;
  update: string;
  values: Values;
}

/**
 * Writes what records of one shard come to into one item, each record once: the item holds its own position in the shard, and is written
 * by what is beyond it alone. The first time records of a shard come in their order, and one batch at a time.
 * @param records in the order of the shard
 * @param writeOf the write for some of them, which sets the position that it is given
 */
export async function writeOnce<T extends TableName, R extends { sequence: string }>(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  shard: string,
  records: readonly R[],
  writeOf: (left: readonly R[], position: Values) => Update<T>,
): Promise<{ counted: readonly R[]; row?: Item<T> }> {
  const name = positionName(shard);
  let left = records;
  while (left.length > 0) {
    const write = writeOf(left, { [name]: positionText(left.at(-1)!.sequence, clock.now()) });
    const written = await db.write(
      {
        ...write,
        // Settles the race with the same batch, cut otherwise, and with an attempt whose answer was lost.
        when: `attribute_not_exists(#${name}) OR #${name} < :first`,
        values: { ...write.values, first: sequenceText(left[0]!.sequence) },
      },
      'new',
    );
    if (written.ok) return { counted: left, row: written.item };
    const position = String((written.old as Record<string, unknown> | undefined)?.[name]);
    left = left.filter(({ sequence }) => !isAtOrBelow(sequence, position));
  }
  return { counted: [] };
}

/** Adds to a row, and has it say what it is to say. */
export function addTo<T extends TableName>({ table, key, set }: CountedRow<T>, counts: Amounts, more: Values = {}) {
  const said = { ...set, ...more };
  const named = setting(Object.keys(said));
  return {
    table,
    key,
    update: `${named && `SET ${named} `}ADD ${addends(counts)}`,
    values: { ...said, ...counts },
  };
}

/** What an update adds, as an expression. */
export const addends = (counts: Amounts): string =>
  Object.keys(counts)
    .map((name) => `#${name} :${name}`)
    .join(', ');

/** What several add together. */
export function addedUp(additions: readonly Pick<Addition, 'counts'>[]): Amounts {
  const sums: Amounts = {};
  for (const { counts } of additions)
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

/**
 * How far a row has come in each shard of the streams that it counts: an attribute for each shard, whose value is the sequence number of
 * the last record that was added. Sequence numbers have up to 40 digits and order within their shard alone.
 */
export type PositionName = `at_${string}`;

/** 40 decimal digits in base 62, padded so that texts compare as the numbers do. */
const DIGITS = 23;
/** A stream forgets records after a day; a shard takes records for four hours at most, and its positions are kept for 48 more. */
const KEPT_HOURS = 52;

/** @param shard the shard and its stream */
export const positionName = (shard: string): PositionName =>
  `at_${base62(bytesToInteger(createHash('sha256').update(shard).digest().subarray(0, 8)), 11)}`;

/** A sequence number as it compares with positions. */
const sequenceText = (sequence: string): string => base62(BigInt(sequence), DIGITS);

/** A position as it is stored: the sequence number, and the hour in which it was written, by which it ends. */
const positionText = (sequence: string, now: number): string => `${sequenceText(sequence)}@${toHour(now).toString(36)}`;

/** Whether a row that holds this position has the record already. */
const isAtOrBelow = (sequence: string, position: string): boolean =>
  sequenceText(sequence) <= position.slice(0, DIGITS);

/** The names of positions that no record can be at or below any more. */
export const endedPositions = (row: object, now: number): PositionName[] =>
  Object.entries(row).flatMap(([name, value]) =>
    isPositionName(name) && toHour(now) - Number.parseInt(String(value).slice(DIGITS + 1), 36) > KEPT_HOURS
      ? [name]
      : [],
  );

const isPositionName = (name: string): name is PositionName => name.startsWith('at_');
const toHour = (now: number): number => Math.floor(now / (60 * MINUTE_MS));
