import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { parseImage } from '../../platform/dynamodb.ts';
import type { Item } from '../../platform/items.ts';
import { isClaimed } from '../../platform/skip-once.ts';
import { hasStream, type StreamTable, tableNames } from '../../platform/tables.ts';
import { getLogLevel, Unavailable } from '../../platform/unavailable.ts';
import { toError } from '../../platform/values/typed.ts';
import type { WorkerName, wokenBy } from '../operations/workers.ts';
import { createParking, type NotThrough, type Park, type ParkedRecord } from './parking.ts';
import type { WorkerEffects } from './worker.ts';
import { type Invocation, inItsTime } from './worker.ts';

/** A batch as Lambda delivers it. A batch of a tumbling window names its shard, and has a state that is not used here. */
export type StreamBatch = DynamoDBStreamEvent & {
  shardId?: string;
  state?: Record<string, unknown>;
  window?: { start: string; end: string };
  isFinalInvokeForWindow?: boolean;
};

/** For a batch in a window, Lambda treats a response without a state as a failure. */
export type StreamAnswer = DynamoDBBatchResponse & { state?: Record<string, unknown> };
export type StreamHandler = (event: StreamBatch, invocation?: Invocation) => Promise<StreamAnswer>;

/** A change of an item: the item before and after. */
interface StreamChange<T extends StreamTable> {
  old?: Item<T>;
  now?: Item<T>;
}

/** The position of a record in its stream and its batch. */
export interface RecordPosition {
  /** The shard and its stream; undefined if the batch does not name them, for example for a parked record. */
  shard: string | undefined;
  sequence: string;
  /** The index in the batch. */
  at: number;
  /** For a parked record, the remaining part of the work; undefined means all of it. */
  part?: string;
}

/** The handler for changes of each table with a stream. */
type StreamHandlers<R = void> = {
  [T in StreamTable]: (change: StreamChange<T>, place: RecordPosition) => Promise<R | undefined>;
};

/** The tables whose streams wake a worker. */
type StreamsOf<N extends WorkerName> = {
  [T in StreamTable]: N extends (typeof wokenBy)[T][number] ? T : never;
}[StreamTable];

/** A handler for each table whose stream wakes a worker, and for no other. */
export type ChangesOf<N extends WorkerName, R = void> = Pick<StreamHandlers<R>, StreamsOf<N>>;

/** What a function does with each change of a batch, and at the end of the batch. */
export interface Processing<N extends WorkerName, R> {
  changes: Partial<StreamHandlers<R>> & ChangesOf<N, R>;
  finish?(results: R[], park: Park): Promise<NotThrough[] | undefined>;
}

/**
 * Defines a function on the streams of tables. If the store is unavailable, Lambda retries the batch from that record on. A record that
 * can never be processed is parked, and the others continue.
 */
export function streamWorker<N extends WorkerName, R = void>(
  name: N,
  define: (effects: WorkerEffects) => Processing<N, R>,
) {
  return (effects: WorkerEffects): StreamHandler => {
    const { changes, finish } = define(effects);
    const handlers: Partial<StreamHandlers<R>> = changes;
    const { parkClaimed, firstWaiting } = createParking(effects, name);

    async function act<T extends StreamTable>(
      table: T,
      record: DynamoDBRecord,
      place: RecordPosition,
    ): Promise<R | undefined> {
      const handler = handlers[table];
      if (!handler) throw new TypeError(`${name} has no handler for ${table}`);
      const { OldImage, NewImage } = record.dynamodb ?? {};
      return handler({ old: parseImage(table, OldImage), now: parseImage(table, NewImage) }, place);
    }

    /** Processes the records in order, until one must be retried. Returns those that failed. */
    async function processAll({ Records, shardId }: StreamBatch, results: R[]): Promise<NotThrough[]> {
      const left: NotThrough[] = [];
      for (const [at, record] of Records.entries()) {
        try {
          const table = getTable(record);
          const shard = shardId && `${table} ${shardId}`;
          const { dynamodb, part, claim }: ParkedRecord = record;
          if (claim && !(await isClaimed(effects.db, claim))) continue;
          const result = await act(table, record, { shard, sequence: dynamodb?.SequenceNumber ?? '', at, part });
          if (result !== undefined) results.push(result);
        } catch (cause) {
          left.push({ at, cause });
          if (cause instanceof Unavailable) break;
        }
      }
      return left;
    }

    async function finishAll(results: R[], records: readonly DynamoDBRecord[]): Promise<NotThrough[]> {
      try {
        return (await finish?.(results, (one) => parkClaimed(records, one))) ?? [];
      } catch (cause) {
        if (cause instanceof Unavailable) return [{ at: 0, cause }];
        // No retry: it would fail again, and the records are processed. The next batch also finishes this one.
        effects.log.error('batch not finished', { operation: name, stack: toError(cause).stack });
        return [];
      }
    }

    async function handle(batch: StreamBatch): Promise<StreamAnswer> {
      const results: R[] = [];
      const left = await processAll(batch, results);
      const waiting = await firstWaiting(batch.Records, [...left, ...(await finishAll(results, batch.Records))]);
      effects.metrics.flush();
      const { Records, shardId, state = {} } = batch;
      const window = shardId === undefined ? {} : { state };
      if (!waiting) return { batchItemFailures: [], ...window };
      const record = Records[waiting.at]!;
      const cause = String(waiting.cause);
      effects.log[getLogLevel(waiting.cause)]('batch retried', { operation: name, eventId: record.eventID, cause });
      return { batchItemFailures: [{ itemIdentifier: record.dynamodb!.SequenceNumber! }], ...window };
    }

    return (event, invocation) => inItsTime(effects.clock, invocation, () => handle(event));
  };
}

/** The table of a record, from its stream's ARN: `…:table/<prefix><name>/stream/…`. */
function getTable({ eventSourceARN }: DynamoDBRecord): StreamTable {
  const name = eventSourceARN?.split('/')[1] ?? '';
  const table = tableNames.filter(hasStream).find((one) => name.endsWith(one));
  if (!table) throw new TypeError(`${name} has no stream`);
  return table;
}
