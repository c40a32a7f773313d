import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  type DynamoDBStreamsClientConfig,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import type { StreamAnswer, StreamBatch, StreamHandler } from '../../shared/http/workers/stream-worker.ts';

interface StreamPoller {
  /** Processes the current records of the stream; resolves to their number. */
  drain(): Promise<number>;
}

/**
 * Stands in for Lambda's event source mapping on a stream: reads it in order, invokes the function with batches, and retries from a
 * failed record. Checkpoints advance only after a batch succeeds, so a restart loses nothing.
 */
export function createStreamPoller(
  stream: ShardReader,
  table: string,
  name: string,
  handler: StreamHandler,
  checkpoints: Checkpoints,
  windowSeconds?: number,
): StreamPoller {
  const hand = windowSeconds
    ? createWindowedHandler(handler, windowSeconds * 1000)
    : (_: string, Records: DynamoDBRecord[]) => handler({ Records });
  const toPlace = (shardId: string) => `${name} ${table} ${shardId}`;

  /** Cached iterators; undefined after a failure. */
  let shards: Map<string, string> | undefined;

  /** Processes the records of a shard. `next` is the next iterator; undefined if a batch failed or the shard is closed. */
  async function drainShard(shardId: string, start: string): Promise<{ count: number; next: string | undefined }> {
    let next: string | undefined = start;
    let count = 0;
    while (next) {
      const page = await stream.read(next);
      next = page.next;
      const { records } = page;
      if (records.length === 0) break;
      const { batchItemFailures } = await hand(shardId, records);
      const failedAt = batchItemFailures[0]?.itemIdentifier;
      const through =
        failedAt === undefined
          ? records
          : records.slice(
              0,
              records.findIndex((record) => record.dynamodb?.SequenceNumber === failedAt),
            );
      const last = through.at(-1)?.dynamodb?.SequenceNumber;
      if (last) checkpoints.set(toPlace(shardId), last);
      count += through.length;
      if (failedAt !== undefined) return { count, next: undefined };
      if (records.length < MAX_RECORDS) break; // a short page is the last
    }
    return { count, next };
  }

  return {
    async drain() {
      const known = shards ?? (await stream.find((shardId) => checkpoints.get(toPlace(shardId))));
      shards = undefined; // after a failure from here on, resume from the checkpoints
      const goingOn = new Map<string, string>();
      let total = 0;
      for (const [shardId, start] of known) {
        const { count, next } = await drainShard(shardId, start);
        if (next) goingOn.set(shardId, next);
        total += count;
      }
      if (known.size > 0 && goingOn.size === known.size) shards = goingOn;
      return total;
    },
  };
}

/** Position of each stream reader; survives restarts in the data folder. */
interface Checkpoints {
  get(place: string): string | undefined;
  set(place: string, sequenceNumber: string): void;
}

export function openCheckpoints(dataDir: string): Checkpoints {
  if (dataDir === ':memory:') return new Map<string, string>();
  const file = join(dataDir, 'checkpoints.json');
  const places: Record<string, string> = readJson(file);
  return {
    get: (place) => places[place],
    set(place, sequenceNumber) {
      places[place] = sequenceNumber;
      writeFileSync(`${file}.new`, JSON.stringify(places)); // a crash in between leaves the old file intact
      renameSync(`${file}.new`, file);
    },
  };
}

function readJson(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {}; // missing or damaged: reread the stream from the beginning; counting is idempotent
  }
}

/**
 * Stands in for Lambda's tumbling windows: each batch includes the shard and the window's state. A response without a state fails the whole
 * batch. When a window ends, a final invocation gets the state and no records.
 */
function createWindowedHandler(handler: StreamHandler, windowMs: number) {
  const open = new Map<string, { start: number; state: StreamBatch['state'] }>();

  async function call(
    shardId: string,
    start: number,
    Records: DynamoDBRecord[],
    isFinal: boolean,
  ): Promise<StreamAnswer> {
    const window = { start: new Date(start).toISOString(), end: new Date(start + windowMs).toISOString() };
    const state = open.get(shardId)?.state ?? {};
    const answer = await handler({ Records, shardId, state, window, isFinalInvokeForWindow: isFinal });
    if (!answer.state) throw new Error('the response to a batch in a window has no state');
    return answer;
  }

  return async (shardId: string, records: DynamoDBRecord[]): Promise<StreamAnswer> => {
    const start = Math.floor(Date.now() / windowMs) * windowMs;
    const before = open.get(shardId);
    if (before && before.start < start) {
      await call(shardId, before.start, [], true);
      open.delete(shardId);
    }
    const answer = await call(shardId, start, records, false);
    open.set(shardId, { start, state: answer.state });
    return answer;
  };
}

/** Records per page: Lambda's default batch size. */
export const MAX_RECORDS = 100;

export interface ShardReader {
  /** Finds the iterator of each shard: after the sequence number that `through` returns, or at the beginning. */
  find(through: (shardId: string) => string | undefined): Promise<Map<string, string>>;
  /** Reads records in the format in which Lambda delivers them. `next` is the next iterator; undefined if the shard is closed. */
  read(from: string): Promise<{ records: DynamoDBRecord[]; next: string | undefined }>;
}

/** Opens the stream of a table. */
export function openShardReader(client: DynamoDBStreamsClientConfig, table: string): ShardReader {
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
        new GetRecordsCommand({ ShardIterator: from, Limit: MAX_RECORDS }),
      );
      const records = Records.map((record) => ({ ...record, eventSourceARN: streamArn }) as DynamoDBRecord);
      return { records, next: NextShardIterator };
    },
  };
}
