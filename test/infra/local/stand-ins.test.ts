import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { GetQueueUrlCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalDynamoDb, startDynamoDb } from '../../../infra/local/dynamodb.ts';
import { type LocalSqs, startSqs } from '../../../infra/local/sqs.ts';

/**
 * What docs/development.md says about the stand-ins: where AWS behaves differently, no test on them can find a fault. If one of these fails
 * after an update of a stand-in, change the document.
 */

let dynamoDb: LocalDynamoDb;
let sqs: LocalSqs;
let client: DynamoDBClient;
let db: DynamoDBDocumentClient;
let queues: SQSClient;
let QueueUrl: string;
beforeAll(async () => {
  dynamoDb = await startDynamoDb({ dataDir: ':memory:', dynamoDbEndpoint: '', dynoxideBin: undefined });
  sqs = await startSqs(':memory:', 'test-');
  client = new DynamoDBClient({ ...dynamoDb.client, maxAttempts: 1 });
  db = DynamoDBDocumentClient.from(client);
  queues = new SQSClient({ ...sqs.client, maxAttempts: 1 });
  QueueUrl = (await queues.send(new GetQueueUrlCommand({ QueueName: 'test-parked' }))).QueueUrl!;
  await client.send(
    new CreateTableCommand({
      TableName: 'things',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: ['id', 'owner'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-owner',
          KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    }),
  );
});
afterAll(async () => {
  queues.destroy();
  client.destroy();
  await sqs.stop();
  await dynamoDb.stop();
});

const TableName = 'things';
const put = (Item: object) => db.send(new PutCommand({ TableName, Item: { ...Item } }));
const increment = (id: string) => ({
  TableName,
  Key: { id },
  UpdateExpression: 'ADD #n :one',
  ExpressionAttributeNames: { '#n': 'n' },
  ExpressionAttributeValues: { ':one': 1 },
});

async function readStream() {
  const streams = new DynamoDBStreamsClient(dynamoDb.client);
  const { Streams: [found] = [] } = await streams.send(new ListStreamsCommand({ TableName }));
  const { StreamArn } = found!;
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  const shards = StreamDescription!.Shards!;
  const records = [];
  for (const { ShardId } of shards) {
    const at = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' as const };
    const { ShardIterator } = await streams.send(new GetShardIteratorCommand(at));
    records.push(...((await streams.send(new GetRecordsCommand({ ShardIterator }))).Records ?? []));
  }
  streams.destroy();
  return { shards, records };
}

describe('Unlike DynamoDB, the stand-in', () => {
  it('never rejects a transaction because of another write of the same item (TransactionConflict)', async () => {
    const transaction = () =>
      new TransactWriteCommand({ TransactItems: [{ Update: increment('hot') }, { Update: increment('other') }] });
    const writes = Array.from({ length: 100 }, (_, at) =>
      at % 4 === 0 ? db.send(new UpdateCommand(increment('hot'))) : db.send(transaction()),
    );
    const settled = await Promise.allSettled(writes);
    expect(settled.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  it('shows every write in an index at once', async () => {
    for (let at = 0; at < 50; at++) {
      await put({ id: `indexed-${at}`, owner: 'alice' });
      const { Count } = await db.send(
        new QueryCommand({
          TableName,
          IndexName: 'by-owner',
          KeyConditionExpression: '#owner = :owner',
          ExpressionAttributeNames: { '#owner': 'owner' },
          ExpressionAttributeValues: { ':owner': 'alice' },
        }),
      );
      expect(Count).toBe(at + 1);
    }
  });

  it('writes a stream record for a write that changes nothing', async () => {
    await put({ id: 'same', n: 1 });
    await put({ id: 'same', n: 1 });
    const { records } = await readStream();
    expect(records.filter(({ dynamodb }) => dynamodb?.Keys?.id?.S === 'same')).toHaveLength(2);
  });

  it('keeps items after their time to live, which infra/local/sweep.ts deletes', async () => {
    await put({ id: 'expired', ttl: 1 });
    const { Item } = await db.send(new GetCommand({ TableName, Key: { id: 'expired' } }));
    expect(Item).toBeDefined();
  });

  it('has one shard in a stream', async () => {
    const { shards } = await readStream();
    expect(shards).toHaveLength(1);
  });
});

describe('Unlike SQS, the stand-in', () => {
  it('accepts a delay over 900 seconds, which shared/platform/queue.ts never sends', async () => {
    const sent = await queues.send(new SendMessageCommand({ QueueUrl, MessageBody: 'late', DelaySeconds: 901 }));
    expect(sent.MessageId).toBeDefined();
  });

  it('accepts any text as a group, and no emoji in a message; shared/platform/queue.ts hashes one and escapes the other', async () => {
    const group = { QueueUrl, MessageBody: 'grouped', MessageGroupId: 'x y'.repeat(50) };
    expect((await queues.send(new SendMessageCommand(group))).MessageId).toBeDefined();
    const emoji = queues.send(new SendMessageCommand({ QueueUrl, MessageBody: '\u{1f45f}' }));
    await expect(emoji).rejects.toThrow('Invalid characters');
  });
});
