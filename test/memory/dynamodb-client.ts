import { Readable } from 'node:stream';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { createLocalClient } from '../../infra/local/dynamodb.ts';
import { tableNames } from '../../shared/platform/tables.ts';
import type { createMemoryDatabase } from './database.ts';
import { type AnyItem, untyped } from './untyped-database.ts';

type MemoryDatabase = ReturnType<typeof createMemoryDatabase>;

/** An error response, with its name in the protocol. */
class Refusal extends Error {
  readonly body: object;
  constructor(name: string, more: object) {
    super(name);
    this.body = { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: name, ...more };
  }
}

const toAttributes = (item: AnyItem | undefined) => item && marshall(item);
const CONDITION_FAILED = 'ConditionalCheckFailed';

/** The operations of DynamoDB's protocol that tests use, on an in-memory database. */
function createOperations(db: MemoryDatabase, prefix: string): Record<string, (input: AnyItem) => Promise<object>> {
  function getTable({ TableName }: { TableName?: string }) {
    const table = tableNames.find((name) => prefix + name === TableName);
    if (!table) throw new TypeError(`unknown table ${TableName}`);
    return table;
  }

  const toValues = ({ ExpressionAttributeValues: values = {} }: AnyItem) =>
    Object.fromEntries(Object.entries(unmarshall(values)).map(([name, value]) => [name.slice(1), value]));

  const toNames = ({ ExpressionAttributeNames: names = {} }: AnyItem) =>
    Object.fromEntries(Object.entries<string>(names).map(([name, attribute]) => [name.slice(1), attribute]));

  function toWrite(input: AnyItem): AnyItem {
    const { Item, Key, UpdateExpression: update, ConditionExpression: when } = input;
    const common = { table: getTable(input), when, values: toValues(input), names: toNames(input) };
    if (Item) return { ...common, put: unmarshall(Item) };
    return { ...common, key: unmarshall(Key), ...(update && { update }) };
  }

  async function write(input: AnyItem): Promise<object> {
    const done = await untyped(db).write(toWrite(input), input.ReturnValues === 'ALL_NEW' ? 'new' : undefined);
    if (!done.ok) throw new Refusal(`${CONDITION_FAILED}Exception`, { Item: toAttributes(done.old) });
    return { Attributes: toAttributes(done.item) };
  }

  /** Tokens of applied transactions, so that a retry after a lost response has no effect. */
  const carriedOut = new Set<string>();

  return {
    PutItem: write,
    UpdateItem: write,
    GetItem: async (input) => ({ Item: toAttributes(await untyped(db).get(getTable(input), unmarshall(input.Key))) }),

    async BatchGetItem({ RequestItems }) {
      const Responses: AnyItem = {};
      for (const [TableName, { Keys }] of Object.entries<AnyItem>(RequestItems))
        Responses[TableName] = (
          await untyped(db).getAll(
            getTable({ TableName }),
            Keys.map((key: AnyItem) => unmarshall(key)),
          )
        ).map(toAttributes);
      return { Responses };
    },

    Scan: async (input) => ({ Items: db.items(getTable(input)).map(toAttributes) }),

    async Query(input) {
      const { IndexName: index, KeyConditionExpression: where, ScanIndexForward, Limit } = input;
      const query = { table: getTable(input), index, where, values: toValues(input), newestFirst: !ScanIndexForward };
      const Items: object[] = [];
      for await (const item of untyped(db).query(query)) Items.push(marshall(item));
      if (Items.length > Limit)
        throw new RangeError(`${Items.length} items exceed the limit, and this client does not paginate`);
      return { Items };
    },

    async TransactWriteItems({ TransactItems, ClientRequestToken }) {
      if (carriedOut.has(ClientRequestToken)) return {};
      const writes = TransactItems.map(({ Put, Update, ConditionCheck, Delete }: AnyItem) =>
        Delete ? { ...toWrite(Delete), remove: true } : toWrite(Put ?? Update ?? ConditionCheck),
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

/** Responds to a call: its operation is in a header, its input in the body. */
function createResponder(db: MemoryDatabase, prefix: string) {
  const calls = createOperations(db, prefix);
  return async (target: unknown, body: string): Promise<Answer> => {
    const [, name = ''] = String(target).split('.');
    try {
      const call = calls[name];
      if (!call) throw new TypeError(`unsupported operation ${name}`);
      return [200, JSON.stringify(await call(JSON.parse(body)))];
    } catch (error) {
      if (error instanceof Refusal) return [400, JSON.stringify(error.body)];
      console.error(error);
      return [500, '{}'];
    }
  };
}

/** Makes the SDK use a database in this process, without a connection. */
export function createMemoryClientConfig(db: MemoryDatabase, prefix: string): DynamoDBClientConfig {
  const answer = createResponder(db, prefix);
  const requestHandler = {
    async handle({ headers, body }: { headers: Record<string, string>; body: Uint8Array }) {
      const [statusCode, text] = await answer(headers['x-amz-target'], new TextDecoder().decode(body));
      return { response: { statusCode, headers: {}, body: Readable.from([Buffer.from(text)]) } };
    },
  };
  return {
    ...createLocalClient('http://memory.test'),
    requestHandler: requestHandler as unknown as DynamoDBClientConfig['requestHandler'],
  };
}
