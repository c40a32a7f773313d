import type { TableName, tables } from './tables.ts';

/**
 * The items of each table. The room that owns a table declares them next to its types, so this room depends on no domain. A table
 * without a declaration does not compile.
 *
 *     declare module './items.ts' {
 *       interface Items { statements: StatementPage }
 *     }
 *
 * (It extends an empty record, because the linter would turn an empty interface into a type, which cannot be extended.)
 */
export interface Items extends Record<never, object> {}

/** An item of a table, in any of the shapes that the table contains. */
export type Item<T extends TableName = TableName> = Items[T];

/** The key of an item of a table. */
export type Key<T extends TableName = TableName> = {
  [N in TableName]: Record<(typeof tables)[N]['key'][number], string>;
}[T];

/** An item as the SDK returns it, without a type. */
export type RawItem = Record<string, unknown>;

/** Casts a raw item to the item type of its table. */
export const toItem = <T extends TableName>(_: T, raw: RawItem): Item<T> => raw as Item<T>;

export const itemIf = <T extends TableName>(table: T, raw: RawItem | undefined): Item<T> | undefined =>
  raw && toItem(table, raw);
