import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  type DynamoDBClientConfig,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
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
import type { DynamoDBRecord } from 'aws-lambda';
import type { Clock } from './clock.ts';
import type { Database, Left, Names, Returning, Values, Write } from './database.ts';
import type { Ids } from './ids.ts';
import { type Item, itemIf, type RawItem, toItem } from './items.ts';
import { createRetry, getFault, UnprocessedKeys } from './retry.ts';
import type { TableName } from './tables.ts';

interface DatabaseOptions {
  prefix: string;
  clock: Pick<Clock, 'now' | 'sleep' | 'timer' | 'deadline'>;
  ids: Pick<Ids, 'random' | 'uuid'>;
  /** Overrides the endpoint, region, and credentials of the environment. A runtime without Node's connections passes a `requestHandler`. */
  client?: DynamoDBClientConfig;
}

/** The same values as in the SDK's own agents. */
const KEEP_ALIVE = { keepAlive: true, maxSockets: 50 };

/** Safety net: every attempt is aborted long before this. Ends a request whose abort had no effect. */
const REQUEST_TIMEOUT_MS = 3_000;

/** Maximum keys of one BatchGetItem. */
const BATCH_SIZE = 100;

/** The SDK would read a sum beyond the safe integers as a BigInt, which no arithmetic here expects. */
const READING = { wrapNumbers: Number };

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** A database over DynamoDB, or anything that speaks its protocol (`AWS_ENDPOINT_URL_DYNAMODB`). */
export function openDatabase({ prefix, clock, ids, client }: DatabaseOptions): Database {
  // Our own agents, because the SDK closes idle connections only together with those in use.
  const agents = { httpAgent: new HttpAgent(KEEP_ALIVE), httpsAgent: new HttpsAgent(KEEP_ALIVE) };
  const dynamoDb = new DynamoDBClient({
    requestHandler: {
      ...agents,
      connectionTimeout: REQUEST_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
    // A response delayed in a frozen instance would set the signer's clock back, and DynamoDB would reject the next request.
    disableClockSkewCorrection: true,
    ...client,
    // `retry` does all retries, because the SDK's own ones ignore deadlines and conflicts.
    maxAttempts: 1,
  });
  const documents = DynamoDBDocumentClient.from(dynamoDb, {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { ...READING }, // the client adds options of its own
  });
  const closeIdleConnections = () => Object.values(agents).forEach(closeIdle);
  const retry = createRetry({ clock, ids, closeIdleConnections });

  return {
    async get(table, key) {
      const command = new GetCommand({ TableName: prefix + table, Key: key, ConsistentRead: true });
      const { Item } = await retry((abortSignal) => documents.send(command, { abortSignal }));
      return itemIf(table, Item);
    },

    async getAll(table, keys) {
      const name = prefix + table;
      const items: RawItem[] = [];
      for (let start = 0; start < keys.length; start += BATCH_SIZE) {
        let missing: RawItem[] = keys.slice(start, start + BATCH_SIZE);
        await retry(async (abortSignal) => {
          const command = new BatchGetCommand({ RequestItems: { [name]: { Keys: missing, ConsistentRead: true } } });
          const { Responses, UnprocessedKeys: rest } = await documents.send(command, { abortSignal });
          abortSignal.throwIfAborted(); // A retry reads the same keys again; do not add the items twice.
          items.push(...(Responses?.[name] ?? []));
          missing = rest?.[name]?.Keys ?? [];
          if (missing.length > 0) throw new UnprocessedKeys(`${missing.length} keys were left out`);
        });
      }
      return items.map((item) => toItem(table, item));
    },

    async *query({ table, index, where, values, consistent, newestFirst, limit, pageSize }) {
      let start: RawItem | undefined;
      let left = limit;
      do {
        const command = new QueryCommand({
          TableName: prefix + table,
          IndexName: index,
          KeyConditionExpression: where,
          ...expressionAttributes([where], values),
          ConsistentRead: consistent,
          ScanIndexForward: !newestFirst,
          ExclusiveStartKey: start,
          Limit: left ?? pageSize,
        });
        const { Items = [], LastEvaluatedKey } = await retry((abortSignal) => documents.send(command, { abortSignal }));
        for (const item of Items) yield toItem(table, item);
        if (left !== undefined) left -= Items.length; // A page may end earlier, at one megabyte.
        start = left === 0 ? undefined : LastEvaluatedKey;
      } while (start);
    },

    async write(write, returning) {
      const mark = write.once && ids.uuid();
      const marked = mark ? withMark(write, mark) : write;
      const ReturnValues = returning ? 'ALL_NEW' : 'NONE';
      try {
        const { Attributes } = await retry(async (abortSignal): Promise<{ Attributes?: RawItem }> => {
          const common = commonParts(prefix, marked);
          if ('put' in marked) return documents.send(new PutCommand({ ...common, Item: marked.put }), { abortSignal });
          const keyed = { ...common, Key: marked.key };
          if (!('update' in marked)) return documents.send(new DeleteCommand(keyed), { abortSignal });
          const command = new UpdateCommand({ ...keyed, UpdateExpression: marked.update, ReturnValues });
          return documents.send(command, { abortSignal });
        });
        return { ok: true, item: itemLeft(write.table, returning, Attributes) };
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        const old = error.Item && unmarshall(error.Item, READING); // The document client does not unmarshall items in errors. A matching mark means that an earlier attempt did the write and its response was lost.
        if (mark && old?.lastWrite === mark) return { ok: true, item: itemLeft(write.table, returning, old) };
        return { ok: false, old: itemIf(write.table, old) };
      }
    },

    async transact(writes, onConflict) {
      const command = new TransactWriteCommand({
        TransactItems: writes.map((write) => transactItem(prefix, write)),
        // All attempts share the token. If a response was lost, DynamoDB then neither repeats the transaction nor rejects it because of
        // its own effect.
        ClientRequestToken: ids.uuid(),
      });
      try {
        return await retry(async (abortSignal) => {
          try {
            await documents.send(command, { abortSignal });
            return { ok: true };
          } catch (error) {
            if (onConflict !== 'report' || getFault(error) !== 'conflict') throw error;
            return { ok: false, refused: [], isConflict: true };
          }
        });
      } catch (error) {
        if (!(error instanceof TransactionCanceledException)) throw error;
        const refused = (error.CancellationReasons ?? []).map(({ Code, Item }, index) =>
          Code === 'ConditionalCheckFailed'
            ? { old: itemIf(writes[index]!.table, Item && unmarshall(Item, READING)) }
            : undefined,
        );
        if (!refused.some(Boolean)) throw error;
        return { ok: false, refused };
      }
    },
  };
}

/** Closes the idle connections. */
function closeIdle({ freeSockets }: HttpAgent): void {
  for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
}

/** The item after a write, if the caller asked for it. */
const itemLeft = <T extends TableName, R extends Returning>(_: T, returning: R | undefined, raw: RawItem | undefined) =>
  (returning && raw) as Left<T, R>;

const NOT_DONE = '(attribute_not_exists(#lastWrite) OR #lastWrite <> :lastWrite)';

/** The same write with a mark in its item. The write fails if the item has this mark already, so a retry cannot apply it twice. */
function withMark<T extends TableName>(write: Write<T>, lastWrite: string): Write<T> {
  const when = write.when ? `(${write.when}) AND ${NOT_DONE}` : NOT_DONE;
  const common = { ...write, when, values: { ...write.values, lastWrite } };
  if ('put' in write) return { ...common, put: { ...write.put, lastWrite } };
  if (!('update' in write)) throw new TypeError('only a put or an update can leave a mark');
  const rest = write.update.startsWith('SET ') ? `, ${write.update.slice('SET '.length)}` : ` ${write.update}`;
  return { ...common, key: write.key, update: `SET #lastWrite = :lastWrite${rest}` };
}

/** The parameters that all kinds of writes share. */
const commonParts = (prefix: string, write: Write) => ({
  TableName: prefix + write.table,
  ConditionExpression: write.when,
  ...expressionAttributes(['update' in write ? write.update : undefined, write.when], write.values, write.names),
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
});

function transactItem(prefix: string, write: Write): TransactItem {
  const common = commonParts(prefix, write);
  if ('put' in write) return { Put: { ...common, Item: write.put } };
  const keyed = { ...common, Key: write.key };
  if ('update' in write) return { Update: { ...keyed, UpdateExpression: write.update } };
  if ('remove' in write) return { Delete: keyed };
  return { ConditionCheck: { ...keyed, ConditionExpression: write.when! } };
}

/** Resolves placeholders: `#name` is the attribute `names.name`, or `name` by default; `:name` is `values.name`. */
function expressionAttributes(expressions: readonly (string | undefined)[], values?: Values, names: Names = {}) {
  const found = expressions.flatMap((expression) => expression?.match(/#\w+/g) ?? []);
  return {
    ExpressionAttributeNames:
      found.length > 0
        ? Object.fromEntries(found.map((name) => [name, names[name.slice(1)] ?? name.slice(1)]))
        : undefined,
    ExpressionAttributeValues:
      values && Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value])),
  };
}

type Image = NonNullable<DynamoDBRecord['dynamodb']>['NewImage'];

/** Parses an image of a stream record: the item before or after the change. */
export const parseImage = <T extends TableName>(table: T, attributes: Image): Item<T> | undefined =>
  attributes && toItem(table, unmarshall(attributes as Record<string, AttributeValue>, READING));
