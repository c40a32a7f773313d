import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as sdk from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LocalDynamoDb, localClient, startDynamoDb } from '../../../infra/local/dynamodb.ts';
import { databaseFaultOf, wrongSetupOf } from '../../../shared/platform/database-faults.ts';
import { handOnSignals } from '../../../shared/platform/signals.ts';
import * as light from '../../../shared/runtimes/edge-dynamodb.ts';

let store: LocalDynamoDb;
beforeAll(async () => {
  store = await startDynamoDb({ dataDir: ':memory:', dynamoDbEndpoint: undefined, dynoxideBin: undefined });
  const create = new sdk.CreateTableCommand({
    TableName: 'things',
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  });
  await new sdk.DynamoDBClient(store.client).send(create);
});
afterAll(() => store.stop());

const TableName = 'things';
const Key = { id: { S: 'one' } };
const Item = {
  ...Key,
  bytes: { B: new Uint8Array([0, 255, 7]) },
  B: { M: { B: { S: 'no bytes' } } },
  count: { N: '1' },
};
const values = { ':none': { N: '0' }, ':one': { N: '1' } };
const update = { TableName, Key, UpdateExpression: 'ADD #count :one', ExpressionAttributeNames: { '#count': 'count' } };
const refused = {
  ...update,
  ExpressionAttributeValues: values,
  ConditionExpression: '#count = :none',
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
};

/** What either client makes of a call: its answer or its error, less what only the SDK tells of the way there. */
const outcome = (sent: Promise<object>) =>
  sent.then(
    ({ $metadata: _, ...answer }: { $metadata?: object }) => answer,
    ({ name, message, Item: old, CancellationReasons }) => ({ name, message, old, CancellationReasons }),
  );

it('The light client says and hears what the SDK does', async () => {
  const ours = new light.DynamoDBClient(localClient(String(store.client.endpoint)));
  const theirs = new sdk.DynamoDBClient(store.client);
  const both = async <T extends object>(mine: T, same: object) => {
    const there = await outcome(theirs.send(same as never));
    const here = await outcome(ours.send(mine as never));
    expect(here).toEqual(there);
    return here as Record<string, unknown>;
  };
  await both(new light.PutItemCommand({ TableName, Item }), new sdk.PutItemCommand({ TableName, Item }));
  expect(await both(new light.GetItemCommand({ TableName, Key }), new sdk.GetItemCommand({ TableName, Key }))).toEqual({
    Item,
  });
  const many = { RequestItems: { things: { Keys: [Key] } } };
  await both(new light.BatchGetItemCommand(many), new sdk.BatchGetItemCommand(many));
  const found = {
    TableName,
    KeyConditionExpression: 'id = :id',
    ExpressionAttributeValues: { ':id': Key.id },
  };
  await both(new light.QueryCommand(found), new sdk.QueryCommand(found));
  const old = await both(new light.UpdateItemCommand(refused), new sdk.UpdateItemCommand(refused));
  expect(old).toMatchObject({ name: 'ConditionalCheckFailedException', old: Item });
  const parts = { TransactItems: [{ Update: refused }] };
  const { CancellationReasons } = await both(
    new light.TransactWriteItemsCommand(parts),
    new sdk.TransactWriteItemsCommand(parts),
  );
  expect(CancellationReasons).toMatchObject([{ Code: 'ConditionalCheckFailed', Item }]);
  await both(new light.DeleteItemCommand({ TableName, Key }), new sdk.DeleteItemCommand({ TableName, Key }));
  const nowhere = { TableName: 'nowhere', Key };
  await both(new light.GetItemCommand(nowhere), new sdk.GetItemCommand(nowhere));
});

it('A connection that fails, and an answer of something in between, are what passes; a mistake of our own is not', async () => {
  const faultAt = async (
    port: number,
    credentials = { accessKeyId: 'a', secretAccessKey: 'b' },
    given = new AbortController(),
  ) => {
    const client = new light.DynamoDBClient({ ...localClient(`http://127.0.0.1:${port}`), credentials });
    const read = () => client.send(new light.GetItemCommand({ TableName, Key }));
    const error = await handOnSignals(client as never)(given.signal, read).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(Error);
    return databaseFaultOf(error);
  };
  expect(await faultAt(1)).toBe('reset');
  const over = new AbortController();
  over.abort();
  expect(await faultAt(1, undefined, over)).toBeUndefined();
  expect(await faultAt(1, { accessKeyId: 'a\nb', secretAccessKey: 'b' })).toBeUndefined();
  const answers: [status: number, body: string][] = [
    [502, '<html>'],
    [200, '<html>'],
    [200, ''],
    [200, 'null'],
    [403, '<html>'],
    [307, ''],
  ];
  const faults = [];
  const between = createServer((_, response) => {
    const [status, body] = answers[faults.length]!;
    response.writeHead(status, status === 307 ? { location: '/elsewhere' } : {}).end(body);
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  const { port } = between.address() as AddressInfo;
  while (faults.length < answers.length) faults.push(await faultAt(port));
  between.close();
  between.closeAllConnections();
  expect(faults).toEqual(['busy', 'busy', 'busy', 'busy', undefined, undefined]);
});

it('A store that refuses the service says the same to either client: what an operator has to see to', async () => {
  const answers: [status: number, body: string, toSee: string | undefined][] = [
    [400, '{"__type":"com.amazon.coral.service#UnrecognizedClientException","message":"invalid"}', 'access key'],
    [400, '{"__type":"com.amazon.coral.service#InvalidSignatureException","message":"a\\nb"}', 'access key'],
    [400, '{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"denied"}', 'grant'],
    [400, '{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"none"}', 'no such table'],
    [403, '<html>', 'another server'],
    [307, '', 'another server'],
    [400, '{"__type":"com.amazon.coral.validate#ValidationException","message":"wrong"}', undefined],
  ];
  let [status, body] = [0, ''];
  const refusing = createServer((_, response) => {
    response.writeHead(status, status === 307 ? { location: '/elsewhere' } : {}).end(body);
  }).listen(0, '127.0.0.1');
  await once(refusing, 'listening');
  const settings = { ...localClient(`http://127.0.0.1:${(refusing.address() as AddressInfo).port}`), maxAttempts: 1 };
  const ours = new light.DynamoDBClient(settings);
  const theirs = new sdk.DynamoDBClient(settings);
  for (const [answered, text, toSee] of answers) {
    [status, body] = [answered, text];
    const errors = [
      await ours.send(new light.GetItemCommand({ TableName, Key })).catch((thrown) => thrown),
      await theirs.send(new sdk.GetItemCommand({ TableName, Key })).catch((thrown) => thrown),
    ];
    for (const refused of errors.map(wrongSetupOf)) {
      if (toSee === undefined) expect(refused).toBeUndefined();
      else expect(refused?.message).toContain(toSee);
      expect(String(refused?.cause)).not.toContain('\n');
    }
  }
  theirs.destroy();
  refusing.close();
  refusing.closeAllConnections();
});
