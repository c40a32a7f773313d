import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { type Item, Unavailable } from '../database.ts';
import type { Effects } from '../effects.ts';
import type { WorkerName } from '../endpoints.ts';
import type { Queue } from '../queue.ts';

export type WorkerEffects = Effects & { queue: Queue };
export type StreamHandler = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

/** A record of a table's stream: the item before and after. */
export interface Change {
  old: Item | undefined;
  now: Item | undefined;
}

/**
 * A function on a table's stream, around one plain function for one change. What the store cannot do now is tried again from
 * that record on; a record that can never be processed is parked whole and its neighbours go on.
 */
export function streamWorker(name: WorkerName, define: (effects: WorkerEffects) => (change: Change) => Promise<void>) {
  return (effects: WorkerEffects): StreamHandler => {
    const act = define(effects);

    async function process(record: DynamoDBRecord): Promise<void> {
      try {
        await act({ old: image(record.dynamodb?.OldImage), now: image(record.dynamodb?.NewImage) });
      } catch (error) {
        if (error instanceof Unavailable) throw error;
        effects.log.error('record parked', { operation: name, eventId: record.eventID, stack: (error as Error).stack });
        await effects.queue.send('parked', { worker: name, record });
      }
    }

    return async ({ Records }) => {
      for (const record of Records) {
        try {
          await process(record);
        } catch (error) {
          effects.log.warn('batch retried', { operation: name, eventId: record.eventID, cause: String(error) });
          return { batchItemFailures: [{ itemIdentifier: record.dynamodb!.SequenceNumber! }] };
        }
      }
      return { batchItemFailures: [] };
    };
  };
}

type Image = NonNullable<DynamoDBRecord['dynamodb']>['NewImage'];
const image = (attributes: Image): Item | undefined =>
  attributes && unmarshall(attributes as Parameters<typeof unmarshall>[0]);
