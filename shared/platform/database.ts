import type { Item, Key } from './items.ts';
import type { TableName } from './tables.ts';

/** A write of one item, by itself or in a transaction. In an expression, `#name` is the attribute `name`, and `:name` is `values.name`. */
export type Write<T extends TableName = TableName> = {
  table: T;
  when?: string;
  values?: Values;
  names?: Names;
  /**
   * For a single put or update that must not happen twice, or whose own effect makes its condition fail on retry. The item stores a mark of
   * its last write, so a retry after a lost response finds the write done. Not needed in transactions; DynamoDB recognizes their retries.
   */
  once?: true;
} & ({ put: Item<T> } | { key: Key<T>; update: string } | { key: Key<T>; remove: true } | { key: Key<T>; check: true });

/** Whether a write returns the new item. */
export type Returning = 'new' | undefined;

/** The new item after a write, if the caller asked for it. */
export type Left<T extends TableName, R extends Returning> = R extends 'new' ? Item<T> : undefined;

/** The result of a write: done, with the new item if the caller asked for it; or its condition failed, with the item at that time. */
type Written<T extends TableName = TableName, R extends Returning = Returning> =
  | { ok: true; item: Left<T, R> }
  | { ok: false; old?: Item<T> };

/**
 * A transaction is applied completely or not at all. If conditions failed, `refused[i]` is set for each part i whose condition failed.
 * If it was refused because of a conflict that the caller wants to handle, no `refused[i]` is set.
 */
type Transacted<T extends TableName = TableName> =
  | { ok: true }
  | { ok: false; refused: ({ old?: Item<T> } | undefined)[]; isConflict?: true };

/** Whether a transaction that conflicts with another one is retried, which is the default, or reported to the caller. */
export type OnConflict = 'try again' | 'report';

export interface Query<T extends TableName = TableName> {
  table: T;
  index?: string;
  where: string;
  values: Values;
  consistent?: boolean;
  newestFirst?: boolean;
  limit?: number;
  /** Items per request, for when parsing a full one-megabyte page would block the event loop too long. */
  pageSize?: number;
}

/**
 * The DynamoDB operations that stores use. A failed condition is a result, not an exception. Transient errors are retried with jitter until
 * the caller's deadline, and then throw `Unavailable`. A call takes effect once, even if its response is lost.
 */
export interface Database {
  get<T extends TableName>(table: T, key: Key<T>): Promise<Item<T> | undefined>;
  /** The items of many keys, in no particular order. Missing items are left out. */
  getAll<T extends TableName>(table: T, keys: Key<T>[]): Promise<Item<T>[]>;
  /** All items of a query, or the first `limit`, page by page. */
  query<T extends TableName>(query: Query<T>): AsyncGenerator<Item<T>>;
  write<T extends TableName, R extends Returning = undefined>(write: Write<T>, returning?: R): Promise<Written<T, R>>;
  transact<T extends TableName>(writes: Write<T>[], onConflict?: OnConflict): Promise<Transacted<T>>;
}

/** The values of `:name` in expressions. */
export type Values = Record<string, unknown>;

/** The attributes of `#name` in expressions, for attributes and map keys whose names are only known at run time. */
export type Names = Readonly<Record<string, string>>;

/** The operands of a SET expression that sets each `#name` to `:name`. */
export const setting = (names: readonly string[]): string => names.map((name) => `#${name} = :${name}`).join(', ');
