import type { TableName, tables } from './tables.ts';

/**
 * The items of each table. The room that owns a table declares them next to its types, so this room depends on no domain. A table
 * without a declaration does not compile.
 *
 *     declare module './items.ts' {
 *       interface Items { statements: StatementPage }
 *     }
 *
 * (It extends nothing, in so many words, because an interface without members is taken for a type that cannot be added to.)
 */
export interface Items extends Record<never, object> {}

/** An item of a table, in any of the shapes that it holds. */
export type Item<T extends TableName = TableName> = Items[T];

/** The key of an item of a table. */
export type Key<T extends TableName = TableName> = {
  [N in TableName]: Record<(typeof tables)[N]['key'][number], string>;
}[T];

/** As the SDK gives an item: without a shape. */
export type RawItem = Record<string, unknown>;

/** What came out of a table, taken for what was put into it. */
export const toItem = <T extends TableName>(_: T, raw: RawItem): Item<T> => raw as Item<T>;

export const itemIf = <T extends TableName>(table: T, raw: RawItem | undefined): Item<T> | undefined =>
  raw && toItem(table, raw);
