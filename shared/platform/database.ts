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
import { createConnections } from './connections.ts';
import { AttemptTimeout, type DatabaseFault, databaseFaultOf, Unprocessed } from './database-faults.ts';
import type { Ids } from './ids.ts';
import { type Item, itemOf, type Key } from './items.ts';
import type { TableName } from './tables.ts';
import { Unavailable } from './unavailable.ts';

/** What `:name` in an expression stands for. */
type Values = Record<string, unknown>;

/** One write of one item, alone or as a part of a transaction. `#name` in an expression is the attribute `name`, `:name` is `values.name`. */
export type Write<T extends TableName = TableName> = {
  table: T;
  when?: string;
  values?: Values;
  /**
   * Of a single put or update that must not happen twice, or that its own effect would refuse: the item keeps which write was its
   * last, so that a retry after a lost answer finds it done. A transaction needs none, the store itself knows it again.
   */
  once?: true;
} & ({ put: Item<T> } | { key: Key<T>; update: string } | { key: Key<T>; remove: true } | { key: Key<T>; check: true });

/** Whether a write is to answer with the item that it leaves. */
export type Returning = 'new' | undefined;

type Left<T extends TableName, R extends Returning> = R extends 'new' ? Item<T> : undefined;

/** A write that was carried out, with the item that it left where that was asked for; or one whose condition failed, with the item that failed it. */
type Written<T extends TableName = TableName, R extends Returning = Returning> =
  | { ok: true; item: Left<T, R> }
  | { ok: false; old?: Item<T> };

/** A transaction carried out whole, or refused whole: `refused[i]` is there when part i's condition failed. */
type Transacted<T extends TableName = TableName> =
  | { ok: true }
  | { ok: false; refused: ({ old?: Item<T> } | undefined)[] };

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
 * What stores ask of DynamoDB. A failed condition is an answer, not an exception. What passes is tried again, with jitter, until
 * the deadline of whoever asks; then it is `Unavailable`. A call whose answer was lost is carried out once all the same.
 */
export interface Database {
  get<T extends TableName>(table: T, key: Key<T>): Promise<Item<T> | undefined>;
  /** Items of many keys, in no order; missing ones are left out. */
  getAll<T extends TableName>(table: T, keys: Key<T>[]): Promise<Item<T>[]>;
  /** Every item of a query, or the first `limit` of them, page by page. */
  query<T extends TableName>(query: Query<T>): AsyncGenerator<Item<T>>;
  write<T extends TableName, R extends Returning = undefined>(write: Write<T>, returning?: R): Promise<Written<T, R>>;
  transact<T extends TableName>(writes: Write<T>[]): Promise<Transacted<T>>;
}

/** How long one call is tried at most, where nobody waits for it with less time. */
const LONGEST_CALL_MS = 2_000;
/** An attempt that has no answer by then gets another beside it; DynamoDB answers in milliseconds. */
const LONGEST_ATTEMPT_MS = 500;
/** No attempt may take more than this part of the time left: others must be able to follow. */
const SHARE_OF_TIME = 1 / 4;
/** With less time left than this, no attempt is made. */
const SHORTEST_ATTEMPT_MS = 25;
const FIRST_PAUSE_MS = 8;
/** After a conflict somebody else got through, so it is soon worth another try; a store that is busy is given time. */
const LONGEST_PAUSE_MS: Record<DatabaseFault, number> = {
  conflict: 250,
  busy: 1_000,
  reset: 1_000,
  unreachable: 1_000,
};

const expressions = (...texts: (string | undefined)[]) => {
  const names = new Set(texts.flatMap((text) => text?.match(/#\w+/g) ?? []));
  return names.size
    ? { ExpressionAttributeNames: Object.fromEntries([...names].map((name) => [name, name.slice(1)])) }
    : {};
};
const placeholders = (values: Values | undefined) =>
  values ? { ExpressionAttributeValues: Object.fromEntries(Object.entries(values).map(([k, v]) => [`:${k}`, v])) } : {};

/** As the SDK gives an item: without a shape. */
type Raw = ReturnType<typeof unmarshall>;

const itemIf = <T extends TableName>(table: T, raw: Raw | undefined) => raw && itemOf(table, raw);

/** What a write answers with: the item that it left, where that was asked for. */
const leftBy = <T extends TableName, R extends Returning>(_: T, returning: R | undefined, raw: Raw | undefined) =>
  (returning && raw) as Left<T, R>;

const isRefusal = (error: unknown): error is Error & { Item?: Parameters<typeof unmarshall>[0] } =>
  error instanceof Error && error.name === 'ConditionalCheckFailedException';

const NOT_DONE = '(attribute_not_exists(#lastWrite) OR #lastWrite <> :lastWrite)';

/** A write that leaves its name in the item, and is refused where it finds it. */
function signed<T extends TableName>(write: Write<T>, lastWrite: string): Write<T> {
  const when = write.when ? `(${write.when}) AND ${NOT_DONE}` : NOT_DONE;
  const common = { ...write, when, values: { ...write.values, lastWrite } };
  if ('put' in write) return { ...common, put: { ...write.put, lastWrite } };
  if (!('update' in write)) throw new TypeError('only a put or an update leaves something behind to know it by');
  const rest = write.update.startsWith('SET ') ? `, ${write.update.slice('SET '.length)}` : ` ${write.update}`;
  return { ...common, key: write.key, update: `SET #lastWrite = :lastWrite${rest}` };
}

interface DatabaseOptions {
  prefix: string;
  clock: Pick<Clock, 'now' | 'sleep' | 'timer' | 'deadline'>;
  ids: Pick<Ids, 'random' | 'uuid'>;
  client?: DynamoDBClientConfig;
}

/** A database over DynamoDB, or anything that speaks its protocol (`AWS_ENDPOINT_URL_DYNAMODB`). */
export function openDatabase({ prefix, clock, ids, client }: DatabaseOptions): Database {
  const connections = createConnections();
  // The SDK's own retries know no deadline: there are ours alone.
  const dynamoDb = new DynamoDBClient({ requestHandler: connections.agents, ...client, maxAttempts: 1 });
  const documents = DynamoDBDocumentClient.from(dynamoDb, { marshallOptions: { removeUndefinedValues: true } });
  const name = (table: TableName) => `${prefix}${table}`;

  /**
   * Tries until the deadline. Full jitter: a uniform pause below a doubling bound ("Exponential Backoff And Jitter", AWS
   * Architecture Blog, 2015). A pause that would pass the deadline is not begun.
   *
   * An attempt that has no answer in its time goes on beside the next ones, and whichever answers first is the answer: a connection
   * that takes longer to make than an attempt may last would otherwise never be made.
   */
  async function retrying<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const deadline = Math.min(clock.deadline(), clock.now() + LONGEST_CALL_MS);
    const { promise: answer, resolve, reject } = Promise.withResolvers<T>();
    const underWay: AbortController[] = [];
    let isOver = false;

    /** One attempt. Resolves to why there has to be another; never when it is the answer. */
    function attempt(ms: number): Promise<unknown> {
      const controller = new AbortController();
      underWay.push(controller);
      return new Promise((fail) => {
        const cancel = clock.timer(ms, () => fail(new AttemptTimeout(`no answer within ${Math.round(ms)} ms`)));
        call(controller.signal)
          .then(resolve, (error) => {
            if (databaseFaultOf(error)) fail(error);
            else reject(error);
          })
          .finally(cancel);
      });
    }

    async function tryAgain(): Promise<void> {
      let [bound, resets] = [FIRST_PAUSE_MS, 0];
      for (let pause = 0, cause: unknown; ; ) {
        const left = deadline - clock.now() - pause;
        if (left < SHORTEST_ATTEMPT_MS) throw new Unavailable('the store cannot answer in time', { cause });
        if (pause > 0) await clock.sleep(pause);
        if (isOver) return;
        cause = await attempt(Math.min(LONGEST_ATTEMPT_MS, left * SHARE_OF_TIME));
        const fault = databaseFaultOf(cause)!;
        if (fault === 'reset' || fault === 'unreachable') connections.dropIdle();
        bound = Math.min(LONGEST_PAUSE_MS[fault], bound * 2);
        pause = fault === 'reset' && resets++ === 0 ? 0 : ids.random() * bound; // a new connection will do
      }
    }

    tryAgain().catch(reject);
    try {
      return await answer;
    } finally {
      isOver = true;
      for (const controller of underWay) controller.abort();
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
      return itemIf(table, (await retrying((abortSignal) => documents.send(request, { abortSignal }))).Item);
    },

    async getAll(table, keys) {
      const names = Object.keys(keys[0] ?? {});
      const found = new Map<string, Raw>(); // two attempts may answer with the same one
      for (let at = 0; at < keys.length; at += 100) {
        let asked: Raw[] = keys.slice(at, at + 100);
        await retrying(async (abortSignal) => {
          const request = new BatchGetCommand({
            RequestItems: { [name(table)]: { Keys: asked, ConsistentRead: true } },
          });
          const page = await documents.send(request, { abortSignal });
          for (const item of page.Responses?.[name(table)] ?? [])
            found.set(JSON.stringify(names.map((attribute) => item[attribute])), item);
          asked = page.UnprocessedKeys?.[name(table)]?.Keys ?? [];
          if (asked.length > 0) throw new Unprocessed(`${asked.length} keys were left out`);
        });
      }
      return [...found.values()].map((raw) => itemOf(table, raw));
    },

    async *query({ table, index, where, values, consistent, newestFirst, limit, pageSize }) {
      let start: Raw | undefined;
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
        const { Items = [], LastEvaluatedKey } = await retrying((abortSignal) =>
          documents.send(request, { abortSignal }),
        );
        for (const raw of Items) yield itemOf(table, raw);
        if (left !== undefined) left -= Items.length; // a page may end at its megabyte before that
        start = left === 0 ? undefined : LastEvaluatedKey;
      } while (start);
    },

    async write(write, returning) {
      const mark = write.once && ids.uuid();
      const sent = mark ? signed(write, mark) : write;
      const common = parts(sent);
      const ReturnValues = returning ? 'ALL_NEW' : 'NONE';
      try {
        const { Attributes } = await retrying((abortSignal) => {
          const http = { abortSignal };
          if ('put' in sent) return documents.send(new PutCommand({ ...common, Item: sent.put }), http);
          const keyed = { ...common, Key: sent.key };
          if ('update' in sent)
            return documents.send(new UpdateCommand({ ...keyed, UpdateExpression: sent.update, ReturnValues }), http);
          return documents.send(new DeleteCommand(keyed), http);
        });
        return { ok: true, item: leftBy(write.table, returning, Attributes) };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const old = error.Item && unmarshall(error.Item);
        const isDone = mark !== undefined && old?.lastWrite === mark; // by an attempt whose answer was lost
        return isDone
          ? { ok: true, item: leftBy(write.table, returning, old) }
          : { ok: false, old: itemIf(write.table, old) };
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
      // The same token in every attempt: one whose answer was lost is not carried out again, nor refused by its own effect.
      const request = new TransactWriteCommand({ TransactItems, ClientRequestToken: ids.uuid() });
      try {
        await retrying((abortSignal) => documents.send(request, { abortSignal }));
        return { ok: true };
      } catch (error) {
        if (!(error instanceof TransactionCanceledException)) throw error;
        const refused = (error.CancellationReasons ?? []).map(({ Code, Item }, at) =>
          Code === 'ConditionalCheckFailed' ? { old: itemIf(writes[at]!.table, Item && unmarshall(Item)) } : undefined,
        );
        if (!refused.some(Boolean)) throw error;
        return { ok: false, refused };
      }
    },
  };
}
