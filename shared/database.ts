import { DynamoDBClient, type DynamoDBClientConfig, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Clock } from './clock.ts';
import type { Ids } from './ids.ts';
import type { TableName } from './tables.ts';

// biome-ignore lint/suspicious/noExplicitAny: the stores know the shape of their items, this room does not.
export type Item = Record<string, any>;

/** One write of one item, alone or as a part of a transaction. `#name` in an expression is the attribute `name`, `:name` is `values.name`. */
export type Write = { table: TableName; when?: string; values?: Item } & (
  | { put: Item }
  | { key: Item; update: string }
  | { key: Item; remove: true }
  | { key: Item; check: true }
);

/** A write that was carried out, with the item it left or found; or one whose condition failed, with the item that failed it. */
export type Written = { ok: true; item?: Item } | { ok: false; old?: Item };

/** A transaction carried out whole, or refused whole: `refused[i]` is there when part i's condition failed. */
export type Transacted = { ok: true } | { ok: false; refused: ({ old?: Item } | undefined)[] };

export interface Query {
  table: TableName;
  index?: string;
  where: string;
  values: Item;
  consistent?: boolean;
  newestFirst?: boolean;
  limit?: number;
  /** Items asked for at a time, where a megabyte of them would take too long to parse in one go. */
  pageSize?: number;
}

/**
 * What stores ask of DynamoDB. A failed condition is an answer, not an exception; conflicts between transactions are retried
 * with jitter; whatever the store cannot do now is `Unavailable`.
 */
export interface Database {
  get(table: TableName, key: Item): Promise<Item | undefined>;
  /** Items of many keys, in no order; missing ones are left out. */
  getAll(table: TableName, keys: Item[]): Promise<Item[]>;
  /** Every item of a query, or the first `limit` of them, page by page. */
  query(query: Query): AsyncGenerator<Item>;
  write(write: Write, returning?: 'new' | 'old'): Promise<Written>;
  transact(writes: Write[]): Promise<Transacted>;
}

/** The store refuses or cannot be reached for now; a client may try again. */
export class Unavailable extends Error {}

const ATTEMPTS = 9;
const FIRST_PAUSE_MS = 8;
const LONGEST_PAUSE_MS = 250;

const expressions = (...texts: (string | undefined)[]) => {
  const names = new Set(texts.flatMap((text) => text?.match(/#\w+/g) ?? []));
  return names.size
    ? { ExpressionAttributeNames: Object.fromEntries([...names].map((name) => [name, name.slice(1)])) }
    : {};
};
const placeholders = (values: Item | undefined) =>
  values ? { ExpressionAttributeValues: Object.fromEntries(Object.entries(values).map(([k, v]) => [`:${k}`, v])) } : {};

const isConflict = (error: unknown): boolean =>
  error instanceof TransactionCanceledException
    ? (error.CancellationReasons ?? []).some(({ Code }) => Code === 'TransactionConflict') &&
      !(error.CancellationReasons ?? []).some(({ Code }) => Code === 'ConditionalCheckFailed')
    : (error as Error).name === 'TransactionConflictException' ||
      (error as Error).name === 'TransactionInProgressException';

const isRefusal = (error: unknown): error is Error & { Item?: Parameters<typeof unmarshall>[0] } =>
  (error as Error).name === 'ConditionalCheckFailedException';

const THROTTLES =
  /^(Throttling(Exception)?|ThrottlingError|ProvisionedThroughputExceeded(Exception)?|RequestLimitExceeded|LimitExceededException)$/;

/** Codes of the operating system (ECONNREFUSED, EAI_AGAIN …), not those of Node's own checks (ERR_…). */
const NETWORK = /^E(?!RR_)[A-Z_]+$/;

/**
 * What passes: throttling, a fault of the service, a connection that failed. Everything else (a malformed expression, a value that
 * cannot be stored, a missing grant) is a mistake of our own, which no retry mends and which surfaces as itself.
 */
function isTransient(error: unknown): boolean {
  if (error instanceof TransactionCanceledException) {
    return (error.CancellationReasons ?? []).some(({ Code }) => THROTTLES.test(Code ?? ''));
  }
  const { name, $fault, code } = error as Error & { $fault?: string; code?: string };
  return THROTTLES.test(name) || $fault === 'server' || name === 'TimeoutError' || NETWORK.test(code ?? '');
}

export interface DatabaseOptions {
  prefix: string;
  clock: Pick<Clock, 'sleep'>;
  ids: Pick<Ids, 'random'>;
  client?: DynamoDBClientConfig;
}

/** A database over DynamoDB, or anything that speaks its protocol (`AWS_ENDPOINT_URL_DYNAMODB`). */
export function openDatabase({ prefix, clock, ids, client }: DatabaseOptions): Database {
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 3, ...client }), {
    marshallOptions: { removeUndefinedValues: true },
  });
  const name = (table: TableName) => `${prefix}${table}`;

  /** Full jitter: a uniform pause below a doubling bound ("Exponential Backoff And Jitter", AWS Architecture Blog, 2015). */
  async function retrying<T>(call: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await call();
      } catch (error) {
        if (isTransient(error)) throw new Unavailable('the store cannot answer now', { cause: error });
        if (!isConflict(error)) throw error;
        if (attempt === ATTEMPTS) throw new Unavailable('too many conflicts', { cause: error });
        await clock.sleep(ids.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt));
      }
    }
  }

  const parts = (write: Write) => ({
    TableName: name(write.table),
    ...(write.when ? { ConditionExpression: write.when } : {}),
    ...expressions('update' in write ? write.update : undefined, write.when),
    ...placeholders(write.values),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  });

  return {
    async get(table, key) {
      const request = new GetCommand({ TableName: name(table), Key: key, ConsistentRead: true });
      return (await retrying(() => documents.send(request))).Item;
    },

    async getAll(table, keys) {
      const items: Item[] = [];
      for (let at = 0; at < keys.length; at += 100) {
        let asked: Item[] = keys.slice(at, at + 100);
        for (let attempt = 1; asked.length > 0; attempt++) {
          if (attempt === ATTEMPTS) throw new Unavailable('too many unprocessed keys');
          if (attempt > 1) await clock.sleep(ids.random() * FIRST_PAUSE_MS * 2 ** attempt);
          const request = new BatchGetCommand({
            RequestItems: { [name(table)]: { Keys: asked, ConsistentRead: true } },
          });
          const page = await retrying(() => documents.send(request));
          items.push(...(page.Responses?.[name(table)] ?? []));
          asked = page.UnprocessedKeys?.[name(table)]?.Keys ?? [];
        }
      }
      return items;
    },

    async *query({ table, index, where, values, consistent, newestFirst, limit, pageSize }) {
      let start: Item | undefined;
      let left = limit;
      do {
        const request = new QueryCommand({
          TableName: name(table),
          IndexName: index,
          KeyConditionExpression: where,
          ...expressions(where),
          ...placeholders(values),
          ConsistentRead: consistent,
          ScanIndexForward: !newestFirst,
          ExclusiveStartKey: start,
          Limit: left ?? pageSize,
        });
        const { Items = [], LastEvaluatedKey } = await retrying(() => documents.send(request));
        yield* Items;
        if (left !== undefined) left -= Items.length; // a page may end at its megabyte before that
        start = left === 0 ? undefined : LastEvaluatedKey;
      } while (start);
    },

    async write(write, returning) {
      const common = parts(write);
      const returned = returning === 'new' ? 'ALL_NEW' : returning === 'old' ? 'ALL_OLD' : 'NONE';
      try {
        const { Attributes } = await retrying(async () => {
          if ('put' in write)
            return documents.send(new PutCommand({ ...common, Item: write.put, ReturnValues: returned as 'NONE' }));
          const keyed = { ...common, Key: write.key, ReturnValues: returned as 'NONE' };
          if ('update' in write) return documents.send(new UpdateCommand({ ...keyed, UpdateExpression: write.update }));
          return documents.send(new DeleteCommand(keyed));
        });
        return { ok: true, item: Attributes };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return { ok: false, old: error.Item && unmarshall(error.Item) };
      }
    },

    async transact(writes) {
      const TransactItems = writes.map((write): NonNullable<TransactWriteCommandInput['TransactItems']>[number] => {
        const common = parts(write);
        if ('put' in write) return { Put: { ...common, Item: write.put } };
        if ('update' in write) return { Update: { ...common, Key: write.key, UpdateExpression: write.update } };
        if ('remove' in write) return { Delete: { ...common, Key: write.key } };
        return { ConditionCheck: { ...common, ConditionExpression: write.when!, Key: write.key } };
      });
      try {
        await retrying(() => documents.send(new TransactWriteCommand({ TransactItems })));
        return { ok: true };
      } catch (error) {
        if (!(error instanceof TransactionCanceledException)) throw error;
        const refused = (error.CancellationReasons ?? []).map(({ Code, Item }) =>
          Code === 'ConditionalCheckFailed' ? { old: Item && unmarshall(Item) } : undefined,
        );
        if (!refused.some(Boolean)) throw error;
        return { ok: false, refused };
      }
    },
  };
}
