import {
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type Attributes, attributesOf, rawOf } from './attributes.ts';
import type { Database, Left, Returning, Write } from './database.ts';
import { databaseFaultOf } from './database-faults.ts';
import { attributeNames, attributeValues } from './expressions.ts';
import type { Ids } from './ids.ts';
import { itemIf, type RawItem } from './items.ts';
import type { Calling } from './retries.ts';
import type { TableName } from './tables.ts';

/** What a write answers with: the item that it left, where that was asked for. */
const leftBy = <T extends TableName, R extends Returning>(_: T, returning: R | undefined, raw: RawItem | undefined) =>
  (returning && raw) as Left<T, R>;

const isRefusal = (error: unknown): error is Error & { Item?: Attributes } =>
  error instanceof Error && error.name === 'ConditionalCheckFailedException';

const CONFLICT = { ok: false, refused: [], isConflict: true } satisfies Awaited<ReturnType<Database['transact']>>;

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

const parts = (prefix: string, write: Write) => ({
  TableName: prefix + write.table,
  ...(write.when ? { ConditionExpression: write.when } : {}),
  ...attributeNames(['update' in write ? write.update : undefined, write.when], write.names),
  ...attributeValues(write.values),
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
});

export function createWrites(
  dynamoDb: Pick<DynamoDBClient, 'send'>,
  calling: Calling,
  prefix: string,
  ids: Pick<Ids, 'uuid'>,
): Pick<Database, 'write' | 'transact'> {
  return {
    async write(write, returning) {
      const mark = write.once && ids.uuid();
      const sent = mark ? signed(write, mark) : write;
      const common = parts(prefix, sent);
      const ReturnValues = returning ? 'ALL_NEW' : 'NONE';
      try {
        const send = () => {
          if ('put' in sent) return dynamoDb.send(new PutItemCommand({ ...common, Item: attributesOf(sent.put) }));
          const keyed = { ...common, Key: attributesOf(sent.key) };
          if ('update' in sent)
            return dynamoDb.send(new UpdateItemCommand({ ...keyed, UpdateExpression: sent.update, ReturnValues }));
          return dynamoDb.send(new DeleteItemCommand(keyed));
        };
        const { Attributes } = await calling(send);
        return { ok: true, item: leftBy(write.table, returning, Attributes && rawOf(Attributes)) };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const old = error.Item && rawOf(error.Item);
        const isDone = mark !== undefined && old?.lastWrite === mark; // by an attempt whose answer was lost
        return isDone
          ? { ok: true, item: leftBy(write.table, returning, old) }
          : { ok: false, old: itemIf(write.table, old) };
      }
    },

    async transact(writes, onConflict) {
      const TransactItems = writes.map((write): TransactWriteItem => {
        const common = parts(prefix, write);
        if ('put' in write) return { Put: { ...common, Item: attributesOf(write.put) } };
        const keyed = { ...common, Key: attributesOf(write.key) };
        if ('update' in write) return { Update: { ...keyed, UpdateExpression: write.update } };
        if ('remove' in write) return { Delete: keyed };
        return { ConditionCheck: { ...keyed, ConditionExpression: write.when! } };
      });
      // The same token in every attempt: one whose answer was lost is not carried out again, nor refused by its own effect.
      const request = new TransactWriteItemsCommand({ TransactItems, ClientRequestToken: ids.uuid() });
      const told = (error: unknown) => {
        if (onConflict === 'report' && databaseFaultOf(error) === 'conflict') return CONFLICT;
        throw error;
      };
      try {
        const sent = await calling(() => dynamoDb.send(request).catch(told));
        return 'ok' in sent ? sent : { ok: true };
      } catch (error) {
        if (!(error instanceof TransactionCanceledException)) throw error;
        const refused = (error.CancellationReasons ?? []).map(({ Code, Item }, at) =>
          Code === 'ConditionalCheckFailed' ? { old: itemIf(writes[at]!.table, Item && rawOf(Item)) } : undefined,
        );
        if (!refused.some(Boolean)) throw error;
        return { ok: false, refused };
      }
    },
  };
}
