import type { Effects } from './effects.ts';
import { setting, type Values } from './expressions.ts';
import type { Item, Key } from './items.ts';
import { isAtOrBelow, positionName, positionText, sequenceText } from './positions.ts';
import type { TableName } from './tables.ts';

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
