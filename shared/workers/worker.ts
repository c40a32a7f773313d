import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { WorkerName, workers } from '../operations/workers.ts';
import type { Effects } from '../platform/effects.ts';
import type { Item } from '../platform/items.ts';
import { MAX_MESSAGE_BYTES, messageText, type Queue } from '../platform/queue.ts';
import { imageOf } from '../platform/stream-image.ts';
import { hasStream, type StreamTable, tableNames } from '../platform/tables.ts';
import { Unavailable } from '../platform/unavailable.ts';
import { errorOf } from '../values/typed.ts';
import { type Invocation, inItsTime } from './invocation.ts';

export type WorkerEffects = Effects & { queue: Queue };
export type StreamHandler = (event: DynamoDBStreamEvent, invocation?: Invocation) => Promise<DynamoDBBatchResponse>;

/** A record of a table's stream: the item before and after. */
interface StreamChange<T extends StreamTable> {
  old?: Item<T>;
  now?: Item<T>;
}

/** What a change of each table that has a stream comes to. */
export type StreamHandlers<R = void> = { [T in StreamTable]: (change: StreamChange<T>) => Promise<R | undefined> };

/** The tables whose streams wake a worker, as its row says. */
type StreamsOf<N extends WorkerName> = Extract<(typeof workers)[N]['sources'][number], { stream: string }>['stream'];

/** What a function does with the changes of a batch, one by one, and when it has been through them. */
export interface Processing<N extends WorkerName, R> {
  changes: Partial<StreamHandlers<R>> & Pick<StreamHandlers<R>, StreamsOf<N>>;
  finish?(results: R[]): Promise<void>;
}

/**
 * A function on a table's stream. What the store cannot do now is tried again from that record on; a record that can never be
 * processed is parked whole and its neighbours go on.
 */
export function streamWorker<N extends WorkerName, R = void>(
  name: N,
  define: (effects: WorkerEffects) => Processing<N, R>,
) {
  return (effects: WorkerEffects): StreamHandler => {
    const { changes, finish } = define(effects);
    const handlers: Partial<StreamHandlers<R>> = changes;

    async function act<T extends StreamTable>(table: T, record: DynamoDBRecord): Promise<R | undefined> {
      const handler = handlers[table];
      if (!handler) throw new TypeError(`${name} has no handler for ${table}`);
      const { OldImage, NewImage } = record.dynamodb ?? {};
      return handler({ old: imageOf(table, OldImage), now: imageOf(table, NewImage) });
    }

    async function process(record: DynamoDBRecord): Promise<R | undefined> {
      try {
        return await act(tableOf(record), record);
      } catch (error) {
        if (error instanceof Unavailable) throw error;
        effects.log.error('record parked', { operation: name, eventId: record.eventID, stack: errorOf(error).stack });
        await effects.queue.send('parked', whatFits(name, record));
        return undefined;
      }
    }

    async function processAll({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
      const results: R[] = [];
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
          effects.log.error('batch not finished', { operation: name, stack: errorOf(error).stack });
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
function tableOf({ eventSourceARN }: DynamoDBRecord): StreamTable {
  const name = eventSourceARN?.split('/')[1] ?? '';
  const table = tableNames.filter(hasStream).find((one) => name.endsWith(one));
  if (!table) throw new TypeError(`${name} has no stream`);
  return table;
}
