import { expect } from 'vitest';
import { createLocalTables, startDynamoDb } from '../../infra/local/dynamodb.ts';
import type { Database, Query, Write } from '../../shared/platform/database.ts';
import { openDatabase } from '../../shared/platform/dynamodb.ts';
import { type TableName, tableShape } from '../../shared/platform/tables.ts';
import { createTestClock, createTestIds } from '../service.ts';
import type { createMemoryDatabase } from './database.ts';
import { type AnyItem, type UntypedDatabase, untyped } from './untyped-database.ts';

/** A call to the in-memory database, with its response and its items before the call. */
interface RecordedCall {
  method: keyof Database;
  parts: unknown[];
  items: { table: TableName; key: AnyItem; item: AnyItem | undefined }[];
  answer: unknown;
}

/** The kinds of calls recorded in this process. */
const recordedKinds = new Set<string>();

const getKey = (table: TableName, item: AnyItem): AnyItem =>
  Object.fromEntries(tableShape(table).key.flatMap((part) => (part ? [[part, item[part]]] : [])));
const getWriteKey = (write: Write): AnyItem => ('put' in write ? getKey(write.table, write.put) : write.key);

/** Parts that are kept word for word, because they distinguish kinds of calls. */
const TEXTS = new Set(['table', 'index', 'when', 'where', 'update']);
function describeShape(value: unknown, name = ''): string {
  if (TEXTS.has(name) || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${[...new Set(value.map((one) => describeShape(one)))]}]`;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return typeof value;
  return `{${Object.entries(value).map(([one, part]) => `${one}:${describeShape(part, one)}`)}}`;
}

let opened: Promise<Database> | undefined;
/** The stand-in that all test files of a process share. It stops with the process. */
async function openStandIn(): Promise<Database> {
  const { AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint, DYNOXIDE_BIN: dynoxideBin } = process.env;
  const { client } = await startDynamoDb({ dataDir: ':memory:', dynamoDbEndpoint, dynoxideBin });
  const prefix = `compared-${process.pid}-`;
  await createLocalTables(client, prefix);
  const clock = createTestClock();
  return openDatabase({ prefix, clock, ids: createTestIds('compared', clock.now), client });
}

const callMethod = (db: Database, method: keyof Database, parts: unknown[]) =>
  (db[method] as (...parts: unknown[]) => Promise<unknown>)(...parts);

async function collectAll(db: Database, query: Query): Promise<AnyItem[]> {
  const found: AnyItem[] = [];
  for await (const item of untyped(db).query(query)) found.push(item);
  return found;
}

/** A response without the attributes that only the adapter writes, sorted where the store guarantees no order. */
function normalize(method: keyof Database, parts: unknown[], answer: unknown): unknown {
  const bare = JSON.parse(
    JSON.stringify(answer ?? null, function (this: AnyItem, name, value) {
      if (this[name] instanceof Uint8Array) return Buffer.from(this[name]).toString('base64');
      return name === 'lastWrite' ? undefined : value;
    }),
  );
  if (!Array.isArray(bare)) return bare;
  const { table, index } = method === 'query' ? (parts[0] as Query) : { table: parts[0] as TableName };
  const { key, indexes } = tableShape(table);
  const [, sort = ''] = index ? indexes![index]! : key;
  const toSortKey = (item: AnyItem) => JSON.stringify(getKey(table, item));
  const items = bare.toSorted((a, b) => (toSortKey(a) < toSortKey(b) ? -1 : 1));
  return { items, order: method === 'query' && bare.map((item) => item[sort]) };
}

/**
 * The in-memory database, which records the first call of each kind. `compare` repeats these calls on the stand-in with the same
 * items, and fails if DynamoDB rejects a call or responds differently.
 */
export function comparableDatabase(db: ReturnType<typeof createMemoryDatabase>) {
  const recorded: RecordedCall[] = [];

  async function record<T>(
    method: keyof Database,
    parts: unknown[],
    keys: [TableName, AnyItem][],
    act: () => Promise<T>,
  ): Promise<T> {
    const items = keys.map(([table, key]) => ({ table, key, item: db.item(table, key) }));
    const answer = await act();
    const isOk = (answer as { ok?: boolean } | undefined)?.ok;
    const kind = `${method} ${parts.map((part) => (typeof part === 'string' ? part : describeShape(part)))} ${isOk}`;
    if (!recordedKinds.has(kind)) {
      recordedKinds.add(kind);
      recorded.push({ method, items, ...structuredClone({ parts, answer }) });
    }
    return answer;
  }

  const database: UntypedDatabase & { transact: Database['transact'] } = {
    get: (table, key) => record('get', [table, key], [[table, key]], () => untyped(db).get(table, key)),
    getAll: (table, keys) =>
      record(
        'getAll',
        [table, keys],
        keys.map((key) => [table, key]),
        () => untyped(db).getAll(table, keys),
      ),
    async *query(query) {
      // A query's items are the ones that it returns.
      const found = await collectAll(db, query);
      const keys = found.map((item): [TableName, AnyItem] => [query.table, getKey(query.table, item)]);
      yield* await record('query', [query], keys, async () => found);
    },
    write: (write, returning) =>
      record('write', [write, returning], [[write.table, getWriteKey(write as Write)]], () =>
        untyped(db).write(write, returning),
      ),
    transact: (writes, onConflict) =>
      record(
        'transact',
        [writes, onConflict],
        writes.map((write) => [write.table, getWriteKey(write)]),
        () => db.transact(writes, onConflict),
      ),
  };

  /** Repeats the recorded calls on the stand-in. @throws Error at the first different response */
  async function compare(): Promise<void> {
    if (recorded.length === 0) return;
    opened ??= openStandIn();
    const standIn = await opened;
    for (const { method, parts, items, answer } of recorded.splice(0)) {
      for (const { table, key, item } of items)
        await untyped(standIn).write(item ? { table, put: item } : { table, key, remove: true });
      const real = await (method === 'query'
        ? collectAll(standIn, parts[0] as Query)
        : callMethod(standIn, method, parts));
      const label = `${method} ${JSON.stringify(parts)}, on the stand-in and in memory`;
      expect(normalize(method, parts, real), label).toEqual(normalize(method, parts, answer));
      for (const { table, key } of items) await untyped(standIn).write({ table, key, remove: true });
    }
  }
  return { database: database as unknown as Database, compare };
}
