import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  type DynamoDBStreamsClientConfig,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import type { StreamHandler } from '../../shared/workers/worker.ts';
import type { Checkpoints } from './checkpoints.ts';

export interface StreamPoller {
  /** Hands on what is in the stream now; resolves to the number of records when all of them are through. */
  drain(): Promise<number>;
}

/**
 * What Lambda's event source mapping does in the cloud: reads a table's stream in order, hands batches to the function, and
 * begins again at the record that failed. The checkpoint moves when a batch is through, so nothing is lost by a restart.
 */
export function createStreamPoller(
  client: DynamoDBStreamsClientConfig,
  table: string,
  name: string,
  handler: StreamHandler,
  checkpoints: Checkpoints,
): StreamPoller {
  const streams = new DynamoDBStreamsClient(client);
  let streamArn: string | undefined;

  async function findStream(): Promise<string> {
    const { Streams } = await streams.send(new ListStreamsCommand({ TableName: table }));
    const arn = Streams?.find(({ TableName }) => TableName === table)?.StreamArn;
    if (!arn) throw new Error(`the table ${table} has no stream`);
    return arn;
  }

  async function drainShard(shardId: string): Promise<number> {
    const place = `${name} ${table} ${shardId}`;
    const after = checkpoints.get(place);
    const start = await streams.send(
      new GetShardIteratorCommand({
        StreamArn: streamArn,
        ShardId: shardId,
        ...(after
          ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after }
          : { ShardIteratorType: 'TRIM_HORIZON' }),
      }),
    );
    let iterator = start.ShardIterator;
    let count = 0;
    while (iterator) {
      const page = await streams.send(new GetRecordsCommand({ ShardIterator: iterator, Limit: 100 }));
      const records = (page.Records ?? []).map(
        (record) => ({ ...record, eventSourceARN: streamArn }) as DynamoDBRecord,
      );
      if (records.length === 0) break;
      const { batchItemFailures } = await handler({ Records: records });
      const failedAt = batchItemFailures[0]?.itemIdentifier;
      const through =
        failedAt === undefined
          ? records
          : records.slice(
              0,
              records.findIndex((record) => record.dynamodb?.SequenceNumber === failedAt),
            );
      const last = through.at(-1)?.dynamodb?.SequenceNumber;
      if (last) checkpoints.set(place, last);
      count += through.length;
      if (failedAt !== undefined) break;
      iterator = page.NextShardIterator;
    }
    return count;
  }

  return {
    async drain() {
      streamArn ??= await findStream();
      const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn: streamArn }));
      let count = 0;
      for (const { ShardId } of StreamDescription?.Shards ?? []) count += await drainShard(ShardId!);
      return count;
    },
  };
}
