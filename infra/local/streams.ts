import type { DynamoDBRecord } from 'aws-lambda';
import type { StreamHandler } from '../../shared/http/workers/worker.ts';
import type { Checkpoints } from './checkpoints.ts';
import { MOST_RECORDS, type Shards } from './shards.ts';
import { inWindows } from './windows.ts';

interface StreamPoller {
  /** Hands on what is in the stream now; resolves to the number of records when all of them are through. */
  drain(): Promise<number>;
}

/**
 * What Lambda's event source mapping does in the cloud: reads a table's stream in order, hands batches to the function, and
 * begins again at the record that failed. The checkpoint moves when a batch is through, so nothing is lost by a restart.
 */
export function createStreamPoller(
  stream: Shards,
  table: string,
  name: string,
  handler: StreamHandler,
  checkpoints: Checkpoints,
  windowSeconds?: number,
): StreamPoller {
  const hand = windowSeconds
    ? inWindows(handler, windowSeconds * 1000)
    : (_: string, Records: DynamoDBRecord[]) => handler({ Records });
  const placeOf = (shardId: string) => `${name} ${table} ${shardId}`;

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
      if (last) checkpoints.set(placeOf(shardId), last);
      count += through.length;
      if (failedAt !== undefined) return { count, next: undefined };
      if (records.length < MOST_RECORDS) break; // the stand-in fills its pages
    }
    return { count, next };
  }

  return {
    async drain() {
      const known = shards ?? (await stream.find((shardId) => checkpoints.get(placeOf(shardId))));
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
