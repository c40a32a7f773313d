import type { Item, Key } from './items.ts';
import type { TableName } from './tables.ts';

/** One write of one item, alone or as a part of a transaction. `#name` in an expression is the attribute `name`, `:name` is `values.name`. */
export type Write<T extends TableName = TableName> = {
  table: T;
  when?: string;
  values?: Values;
  names?: Names;
  /**
   * Of a single put or update that must not happen twice, or that its own effect would refuse: the item keeps which write was its
   * last, so that a retry after a lost answer finds it done. A transaction needs none, the store itself knows it again.
   */
  once?: true;
} & ({ put: Item<T> } | { key: Key<T>; update: string } | { key: Key<T>; remove: true } | { key: Key<T>; check: true });

/** Whether a write is to answer with the item that it leaves. */
export type Returning = 'new' | undefined;

/** The item that a write left, where it was asked for. */
export type Left<T extends TableName, R extends Returning> = R extends 'new' ? Item<T> : undefined;

/** A write that was carried out, with the item that it left where that was asked for; or one whose condition failed, with the item that failed it. */
type Written<T extends TableName = TableName, R extends Returning = Returning> =
  | { ok: true; item: Left<T, R> }
  | { ok: false; old?: Item<T> };

/**
 * A transaction carried out whole, or refused whole: `refused[i]` is there when part i's condition failed; none is when it met a
 * conflict that its caller wanted to be told of.
 */
type Transacted<T extends TableName = TableName> =
  | { ok: true }
  | { ok: false; refused: ({ old?: Item<T> } | undefined)[]; isConflict?: true };

/** Whether a transaction that meets another on one of its items is tried again, as everything is, or its caller knows better. */
export type OnConflict = 'try again' | 'report';

export interface Query<T extends TableName = TableName> {
  table: T;
  index?: string;
  where: string;
  values: Values;
  consistent?: boolean;
  newestFirst?: boolean;
  limit?: number;
  /** Items asked for at a time, where a megabyte of them would take too long to parse in one go. */
  pageSize?: number;
}

/**
 * What stores need of DynamoDB. A failed condition is a result, not an exception. Transient errors are retried with jitter until the
 * caller's deadline, and then throw `Unavailable`. A call takes effect once, even if its response is lost.
 */
export interface Database {
  get<T extends TableName>(table: T, key: Key<T>): Promise<Item<T> | undefined>;
  /** Items of many keys, in no order; missing ones are left out. */
  getAll<T extends TableName>(table: T, keys: Key<T>[]): Promise<Item<T>[]>;
  /** Every item of a query, or the first `limit` of them, page by page. */
  query<T extends TableName>(query: Query<T>): AsyncGenerator<Item<T>>;
  write<T extends TableName, R extends Returning = undefined>(write: Write<T>, returning?: R): Promise<Written<T, R>>;
  transact<T extends TableName>(writes: Write<T>[], onConflict?: OnConflict): Promise<Transacted<T>>;
}

/** What `:name` in an expression stands for. */
export type Values = Record<string, unknown>;

/** Attributes, or keys of a map, that an expression names otherwise: their names are known only at run time. */
export type Names = Readonly<Record<string, string>>;

/** What an update sets: each attribute to the value of its name. */
export const setting = (names: readonly string[]): string => names.map((name) => `#${name} = :${name}`).join(', ');
