import { Readable } from 'node:stream';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { createLocalClient } from '../../infra/local/dynamodb.ts';
import { tableNames } from '../../shared/platform/tables.ts';
import type { createMemoryDatabase } from './database.ts';
import { type AnyItem, untyped } from './untyped-database.ts';

type MemoryDatabase = ReturnType<typeof createMemoryDatabase>;

/** A call that the store refuses, by its name in the protocol. */
class Refusal extends Error {
  readonly told: object;
  constructor(name: string, more: object) {
    super(name);
    this.told = { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: name, ...more };
  }
}

const toAttributes = (item: AnyItem | undefined) => item && marshall(item);
const CONDITION_FAILED = 'ConditionalCheckFailed';

/** The calls of DynamoDB's protocol that are made of it here, answered by a database. */
function createOperations(db: MemoryDatabase, prefix: string): Record<string, (input: AnyItem) => Promise<object>> {
  function tableOf({ TableName }: { TableName?: string }) {
    const table = tableNames.find((name) => prefix + name === TableName);
    if (!table) throw new TypeError(`there is no table ${TableName}`);
    return table;
  }

  const valuesOf = ({ ExpressionAttributeValues: values = {} }: AnyItem) =>
    Object.fromEntries(Object.entries(unmarshall(values)).map(([name, value]) => [name.slice(1), value]));

  const namesOf = ({ ExpressionAttributeNames: names = {} }: AnyItem) =>
    Object.fromEntries(Object.entries<string>(names).map(([name, attribute]) => [name.slice(1), attribute]));

  function writeOf(input: AnyItem): AnyItem {
    const { Item, Key, UpdateExpression: update, ConditionExpression: when } = input;
    const common = { table: tableOf(input), when, values: valuesOf(input), names: namesOf(input) };
    if (Item) return { ...common, put: unmarshall(Item) };
    return { ...common, key: unmarshall(Key), ...(update && { update }) };
  }

  async function write(input: AnyItem): Promise<object> {
    const done = await untyped(db).write(writeOf(input), input.ReturnValues === 'ALL_NEW' ? 'new' : undefined);
    if (!done.ok) throw new Refusal(`${CONDITION_FAILED}Exception`, { Item: toAttributes(done.old) });
    return { Attributes: toAttributes(done.item) };
  }

  /** Of transactions that were carried out: one whose answer was lost is not carried out again. */
  const carriedOut = new Set<string>();

  return {
    PutItem: write,
    UpdateItem: write,
    GetItem: async (input) => ({ Item: toAttributes(await untyped(db).get(tableOf(input), unmarshall(input.Key))) }),

    async BatchGetItem({ RequestItems }) {
      const Responses: AnyItem = {};
      for (const [TableName, { Keys }] of Object.entries<AnyItem>(RequestItems))
        Responses[TableName] = (
          await untyped(db).getAll(
            tableOf({ TableName }),
            Keys.map((key: AnyItem) => unmarshall(key)),
          )
        ).map(toAttributes);
      return { Responses };
    },

    Scan: async (input) => ({ Items: db.items(tableOf(input)).map(toAttributes) }),

    async Query(input) {
      const { IndexName: index, KeyConditionExpression: where, ScanIndexForward, Limit } = input;
      const query = { table: tableOf(input), index, where, values: valuesOf(input), newestFirst: !ScanIndexForward };
      const Items: object[] = [];
      for await (const item of untyped(db).query(query)) Items.push(marshall(item));
      if (Items.length > Limit) throw new RangeError(`${Items.length} items, and no pages are made here`);
      return { Items };
    },

    async TransactWriteItems({ TransactItems, ClientRequestToken }) {
      if (carriedOut.has(ClientRequestToken)) return {};
      const writes = TransactItems.map(({ Put, Update, ConditionCheck, Delete }: AnyItem) =>
        Delete ? { ...writeOf(Delete), remove: true } : writeOf(Put ?? Update ?? ConditionCheck),
      );
      const done = await db.transact(writes);
      if (done.ok) {
        carriedOut.add(ClientRequestToken);
        return {};
      }
      const CancellationReasons = done.refused.map((one) =>
        one ? { Code: CONDITION_FAILED, Item: toAttributes(one.old) } : { Code: 'None' },
      );
      throw new Refusal('TransactionCanceledException', { CancellationReasons });
    },
  };
}

type Answer = [statusCode: number, body: string];

/** Answers calls by their name in a header, and by a body. */
function createResponder(db: MemoryDatabase, prefix: string) {
  const calls = createOperations(db, prefix);
  return async (target: unknown, body: string): Promise<Answer> => {
    const [, name = ''] = String(target).split('.');
    try {
      const call = calls[name];
      if (!call) throw new TypeError(`${name} is not answered here`);
      return [200, JSON.stringify(await call(JSON.parse(body)))];
    } catch (error) {
      if (error instanceof Refusal) return [400, JSON.stringify(error.told)];
      console.error(error);
      return [500, '{}'];
    }
  };
}

/** Has the SDK ask a database in this process, without a connection. */
export function createMemoryClientConfig(db: MemoryDatabase, prefix: string): DynamoDBClientConfig {
  const answer = createResponder(db, prefix);
  const requestHandler = {
    async handle({ headers, body }: { headers: Record<string, string>; body: Uint8Array }) {
      const [statusCode, given] = await answer(headers['x-amz-target'], new TextDecoder().decode(body));
      return { response: { statusCode, headers: {}, body: Readable.from([Buffer.from(given)]) } };
    },
  };
  return {
    ...createLocalClient('http://memory.test'),
    requestHandler: requestHandler as unknown as DynamoDBClientConfig['requestHandler'],
  };
}
