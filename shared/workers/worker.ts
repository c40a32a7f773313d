import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { WorkerName } from '../operations/endpoints.ts';
import type { Item } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import { MAX_MESSAGE_BYTES, messageText, type Queue } from '../platform/queue.ts';
import { type TableName, tableNames } from '../platform/tables.ts';
import { Unavailable } from '../platform/unavailable.ts';
import { type Invocation, inItsTime } from './invocation.ts';

export type WorkerEffects = Effects & { queue: Queue };
export type StreamHandler = (event: DynamoDBStreamEvent, invocation?: Invocation) => Promise<DynamoDBBatchResponse>;

/** A record of a table's stream: the item before and after. */
export interface StreamChange {
  table: TableName;
  old: Item | undefined;
  now: Item | undefined;
}

/** What a function does with the changes of a batch, one by one, and when it has been through them. */
export interface Processing<T> {
  act(change: StreamChange): Promise<T>;
  finish?(results: T[]): Promise<void>;
}

/**
 * A function on a table's stream. What the store cannot do now is tried again from that record on; a record that can never be
 * processed is parked whole and its neighbours go on.
 */
export function streamWorker<T>(name: WorkerName, define: (effects: WorkerEffects) => Processing<T>) {
  return (effects: WorkerEffects): StreamHandler => {
    const { act, finish } = define(effects);

    async function process(record: DynamoDBRecord): Promise<T | undefined> {
      try {
        return await act({
          table: tableOf(record),
          old: image(record.dynamodb?.OldImage),
          now: image(record.dynamodb?.NewImage),
        });
      } catch (error) {
        if (error instanceof Unavailable) throw error;
        effects.log.error('record parked', { operation: name, eventId: record.eventID, stack: (error as Error).stack });
        await effects.queue.send('parked', whatFits(name, record));
        return undefined;
      }
    }

    async function processAll({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
      const results: T[] = [];
      let at = 0;
      let failure: unknown;
      try {
        for (; at < Records.length; at++) {
          const result = await process(Records[at]!);
          if (result !== undefined) results.push(result);
        }
      } catch (error) {
        failure = error;
      }
      try {
        await finish?.(results);
      } catch (error) {
        if (error instanceof Unavailable) {
          failure = error;
          at = 0;
        } else {
          // No retry mends it, and the records are through: the next batch finishes for this one too.
          effects.log.error('batch not finished', { operation: name, stack: (error as Error).stack });
        }
      }
      effects.metrics.flush();
      if (failure === undefined) return { batchItemFailures: [] };
      const record = Records[at]!;
      effects.log.warn('batch retried', { operation: name, eventId: record.eventID, cause: String(failure) });
      return { batchItemFailures: [{ itemIdentifier: record.dynamodb!.SequenceNumber! }] };
    }

    return (event, invocation) => inItsTime(effects.clock, invocation, () => processAll(event));
  };
}

/** A record as it is parked: whole, or without its images where a message cannot hold them; its keys say which item it was. */
function whatFits(worker: WorkerName, record: DynamoDBRecord) {
  const whole = { worker, record };
  if (Buffer.byteLength(messageText(whole)) <= MAX_MESSAGE_BYTES) return whole;
  const { OldImage, NewImage, ...rest } = record.dynamodb!;
  return { worker, record: { ...record, dynamodb: rest } };
}

/** The table of a record, from its stream's ARN: `…:table/<prefix><name>/stream/…`. */
const tableOf = (record: DynamoDBRecord): TableName => {
  const table = record.eventSourceARN?.split('/')[1] ?? '';
  return tableNames.find((name) => table.endsWith(name))!;
};

type Image = NonNullable<DynamoDBRecord['dynamodb']>['NewImage'];
const image = (attributes: Image): Item | undefined =>
  attributes && unmarshall(attributes as Parameters<typeof unmarshall>[0]);
