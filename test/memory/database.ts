import type { Database, OnConflict, Query, Returning, Write } from '../../shared/platform/database.ts';
import { type TableName, tableNames, tableShape } from '../../shared/platform/tables.ts';
import { applyUpdate, parseCondition } from './expression.ts';
import type { AnyItem, UntypedDatabase } from './untyped-database.ts';

/** A database call, for gates that delay, fail, or crash it. */
interface MemoryCall {
  method: keyof Database;
  writes: Write[];
  reads?: [TableName, AnyItem][];
}

/** Thrown by a gate for a transaction that conflicts with another. */
export class Conflict extends Error {}

/** Between a caller and the database: runs `act` now, later, or never. */
export type Gate = <T>(call: MemoryCall, act: () => T) => Promise<T>;

export interface MemoryChange {
  table: TableName;
  old: AnyItem | undefined;
  now: AnyItem | undefined;
}

interface MemoryDatabase extends Database {
  /** The stream records, oldest first. */
  changes: MemoryChange[];
  /** Every item of a table. */
  items(table: TableName): AnyItem[];
  /** The current item, without a call. */
  item(table: TableName, key: AnyItem): AnyItem | undefined;
  /** The same data behind another gate. */
  behind(gate: Gate): MemoryDatabase;
}

const open: Gate = async (_, act) => act();
/** As the marshaller stores it: without undefined values. */
function copy<T>(value: T): T {
  if (value instanceof Uint8Array) return value.slice() as T;
  if (Array.isArray(value)) return value.map(copy) as T;
  if (typeof value !== 'object' || value === null) return value;
  const present: AnyItem = {};
  for (const [name, part] of Object.entries(value)) if (part !== undefined) present[name] = copy(part);
  return present as T;
}

/**
 * The Database interface in memory, with DynamoDB's conditions, transactions, and streams. Every operation is atomic, and a gate
 * chooses when it happens. Simulates thousands of races per second, each repeatable by its seed.
 */
export function createMemoryDatabase(): MemoryDatabase {
  const tables = new Map(tableNames.map((name) => [name, new Map<string, AnyItem>()]));
  const changes: MemoryChange[] = [];

  const toKey = (table: TableName, item: AnyItem): string =>
    JSON.stringify(tableShape(table).key.map((part) => part && item[part]));
  const find = (table: TableName, key: AnyItem): AnyItem | undefined => tables.get(table)!.get(toKey(table, key));

  /** The item after a write, or undefined if its condition fails. */
  function plan(write: Write): { after: AnyItem | undefined } | undefined {
    const key = 'put' in write ? write.put : write.key;
    const before = find(write.table, key);
    const used = new Set<string>();
    if (write.when) {
      const when = parseCondition(write.when, write.values, write.names);
      for (const name of when.used) used.add(name);
      if (!when.fulfilledBy(before)) return undefined;
    }
    let after = before;
    if ('put' in write) after = copy(write.put);
    if ('remove' in write) after = undefined;
    if ('update' in write) {
      const result = applyUpdate(before ?? { ...write.key }, write.update, write.values);
      for (const name of result.used) used.add(name);
      after = copy(result.item);
    }
    const unused = Object.keys(write.values ?? {}).filter((name) => !used.has(name));
    if (unused.length > 0) throw new Error(`ValidationException: unused values ${unused.join(', ')}`);
    return { after };
  }

  function carryOut(write: Write, after: AnyItem | undefined): void {
    const key = toKey(write.table, 'put' in write ? write.put : write.key);
    const items = tables.get(write.table)!;
    const old = items.get(key);
    if (after) items.set(key, after);
    else items.delete(key);
    if (tableShape(write.table).stream && JSON.stringify(old) !== JSON.stringify(after)) {
      changes.push({ table: write.table, old, now: after });
    }
  }

  const copyCurrent = (write: Write) => {
    const old = find(write.table, 'put' in write ? write.put : write.key);
    return old && copy(old);
  };

  function write(one: Write, returning?: Returning) {
    const planned = plan(one);
    if (!planned) return { ok: false as const, old: copyCurrent(one) };
    carryOut(one, planned.after);
    return { ok: true as const, item: returning && planned.after && copy(planned.after) };
  }

  function transact(writes: Write[]) {
    const keys = writes.map((one) => `${one.table} ${toKey(one.table, 'put' in one ? one.put : one.key)}`);
    if (new Set(keys).size < keys.length) throw new Error('ValidationException: two operations on one item');
    const planned = writes.map(plan);
    if (planned.every((one) => one !== undefined)) {
      for (const [index, one] of writes.entries()) carryOut(one, planned[index]!.after);
      return { ok: true as const };
    }
    return {
      ok: false as const,
      refused: planned.map((one, at) => (one ? undefined : { old: copyCurrent(writes[at]!) })),
    };
  }

  function query({ table, index, where, values, newestFirst, limit }: Query): AnyItem[] {
    const { key, indexes, keysOnly } = tableShape(table);
    const sought = index ? indexes![index]! : key;
    const [, sort] = sought;
    const projected = index && keysOnly?.includes(index) ? new Set<string | undefined>([...key, ...sought]) : undefined;
    const present = (item: AnyItem) =>
      projected ? Object.fromEntries(Object.entries(item).filter(([name]) => projected.has(name))) : copy(item);
    const { fulfilledBy } = parseCondition(where, values);
    const found = [...tables.get(table)!.values()]
      .filter((item) => fulfilledBy(item))
      .sort((a, b) => (sort ? (a[sort] < b[sort] ? -1 : a[sort] > b[sort] ? 1 : 0) : 0))
      .map(present);
    if (newestFirst) found.reverse();
    return found.slice(0, limit);
  }

  const behind = (gate: Gate): MemoryDatabase => {
    const database: UntypedDatabase & { transact(writes: Write[], onConflict?: OnConflict): Promise<unknown> } = {
      get: (table, key) =>
        gate({ method: 'get', writes: [], reads: [[table, key]] }, () => {
          const item = find(table, key);
          return item && copy(item);
        }),
      getAll: (table, keys) =>
        gate({ method: 'getAll', writes: [], reads: keys.map((key) => [table, key]) }, () =>
          keys.flatMap((key) => find(table, key) ?? []).map(copy),
        ),
      async *query(one) {
        yield* await gate({ method: 'query', writes: [] }, () => query(one));
      },

      write: (one: Write, returning) => gate({ method: 'write', writes: [one] }, () => write(one, returning)),
      async transact(writes, onConflict) {
        for (;;) {
          try {
            return await gate({ method: 'transact', writes }, () => transact(writes));
          } catch (error) {
            if (!(error instanceof Conflict)) throw error;
            if (onConflict === 'report') return { ok: false, refused: [], isConflict: true };
          }
        }
      },
    };
    const items = (table: TableName) => [...tables.get(table)!.values()].map(copy);
    // The database returns items as they were stored, so they have the shape of their table.
    return { ...(database as unknown as Database), changes, items, item: find, behind };
  };
  return behind(open);
}
