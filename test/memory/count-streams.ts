import type { DynamoDBRecord } from 'aws-lambda';
import { loadWorker } from '../../infra/local/functions.ts';
import type { WorkerName } from '../../shared/http/operations/workers.ts';
import type { ParkedRecord } from '../../shared/http/workers/parking.ts';
import type { Database } from '../../shared/platform/database.ts';
import { streamRecord } from '../stream-record.ts';
import { createBudgetService } from './service.ts';

/** A store with streams, whose batches are delivered as Lambda does: in order, and again from the first failed record. */
export function createCountStreams(seed: string) {
  const service = createBudgetService(seed);
  const parked: { worker: WorkerName; record: ParkedRecord }[] = [];
  const queue = { ...service.effects.queue, send: async (_: unknown, one: unknown) => void parked.push(one as never) };

  async function run(worker: WorkerName, Records: DynamoDBRecord[], shardId?: string, db: Database = service.db) {
    const handler = await loadWorker(worker, { ...service.effects, queue, db });
    return (await handler({ Records, ...(shardId && { shardId }) })).batchItemFailures[0]?.itemIdentifier;
  }

  async function deliver(worker: WorkerName, records: DynamoDBRecord[], shardId: string, db?: Database) {
    for (let left = records; left.length > 0; ) {
      const failed = await run(worker, left, shardId, db);
      left = failed ? left.slice(left.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === failed)) : [];
    }
  }

  let told = 0;
  /** The tallies stored since the last call. */
  const tallies = () => {
    const changes = service.db.changes.slice(told);
    told = service.db.changes.length;
    return changes
      .filter(({ table }) => table === 'key-tallies')
      .map(({ now }) => streamRecord(undefined, now, 'key-tallies'));
  };

  /** Counts the life of bids, in one batch each for both streams. */
  async function count(records: DynamoDBRecord[], shard = 'shard-1') {
    await deliver('events/count', records, shard);
    await deliver('events/count-keys', tallies(), 'tallies-1');
  }

  async function replay() {
    for (const { worker, record } of parked.splice(0)) await run(worker, [record]);
  }

  return { service, parked, run, deliver, tallies, count, replay };
}
