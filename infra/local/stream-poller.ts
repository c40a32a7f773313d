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
import type { StreamAnswer, StreamBatch, StreamHandler } from '../../shared/http/workers/worker.ts';

interface StreamPoller {
  /** Hands on what is in the stream now; resolves to the number of records when all of them are through. */
  drain(): Promise<number>;
}

/**
 * What Lambda's event source mapping does in the cloud: reads a table's stream in order, hands batches to the function, and
 * begins again at the record that failed. The checkpoint moves when a batch is through, so nothing is lost by a restart.
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

  /** Where each shard goes on, while nothing failed: whoever polls again need not ask for it. */
  let shards: Map<string, string> | undefined;

  /** Hands on what a shard holds. `next` is where it goes on; undefined where a batch failed, or the shard is closed. */
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
      if (records.length < MAX_RECORDS) break; // the stand-in fills its pages
    }
    return { count, next };
  }

  return {
    async drain() {
      const known = shards ?? (await stream.find((shardId) => checkpoints.get(toPlace(shardId))));
      shards = undefined; // should anything fail from here on, the checkpoints say where to begin again
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

/** How far each reader of a stream has come; kept in the data folder across restarts. */
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
      writeFileSync(`${file}.new`, JSON.stringify(places)); // a crash in between leaves the old file whole
      renameSync(`${file}.new`, file);
    },
  };
}

function readJson(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {}; // none yet, or damaged: the stream is read from its beginning, and what was counted stays counted once
  }
}

/**
 * Tumbling windows as Lambda has them: each batch names its shard and carries the state of the window on; an answer without a state is
 * a failure of the whole batch; and a window that has ended is told once, with its state and no records.
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
    if (!answer.state) throw new Error('an answer to a batch in a window has no state');
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

/** Of one page: the usual batch of Lambda. */
export const MAX_RECORDS = 100;

export interface ShardReader {
  /** Where each shard goes on: after the sequence number that `through` has for it, or at its beginning. */
  find(through: (shardId: string) => string | undefined): Promise<Map<string, string>>;
  /** Records of a shard, as Lambda hands them on. `next` is where it goes on; undefined where the shard is closed. */
  read(from: string): Promise<{ records: DynamoDBRecord[]; next: string | undefined }>;
}

/** The shards of a table's stream. */
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
