import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  type DynamoDBStreamsClientConfig,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';

/** Of one page: the usual batch of Lambda. */
export const MOST_RECORDS = 100;

export interface Shards {
  /** Where each shard goes on: after the sequence number that `through` has for it, or at its beginning. */
  find(through: (shardId: string) => string | undefined): Promise<Map<string, string>>;
  /** Records of a shard, as Lambda hands them on. `next` is where it goes on; undefined where the shard is closed. */
  read(from: string): Promise<{ records: DynamoDBRecord[]; next: string | undefined }>;
}

/** The shards of a table's stream. */
export function openShards(client: DynamoDBStreamsClientConfig, table: string): Shards {
  const streams = new DynamoDBStreamsClient(client);
  let streamArn: string | undefined;

  async function findStream(): Promise<string> {
    const { Streams } = await streams.send(new ListStreamsCommand({ TableName: table }));
    const arn = Streams?.find(({ TableName }) => TableName === table)?.StreamArn;
    if (!arn) throw new Error(`the table ${table} has no stream`);
    return arn;
  }

  return {
    async find(through) {
      streamArn ??= await findStream();
      const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn: streamArn }));
      const found = new Map<string, string>();
      for (const { ShardId } of StreamDescription?.Shards ?? []) {
        const after = through(ShardId!);
        const { ShardIterator } = await streams.send(
          new GetShardIteratorCommand({
            StreamArn: streamArn,
            ShardId,
            ...(after
              ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after }
              : { ShardIteratorType: 'TRIM_HORIZON' }),
          }),
        );
        if (ShardIterator) found.set(ShardId!, ShardIterator);
      }
      return found;
    },

    async read(from) {
      const { Records = [], NextShardIterator } = await streams.send(
        new GetRecordsCommand({ ShardIterator: from, Limit: MOST_RECORDS }),
      );
      const records = Records.map((record) => ({ ...record, eventSourceARN: streamArn }) as DynamoDBRecord);
      return { records, next: NextShardIterator };
    },
  };
}
