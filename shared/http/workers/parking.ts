import type { DynamoDBRecord } from 'aws-lambda';
import type { Effects } from '../../platform/effects.ts';
import { messageText, type Queue } from '../../platform/queue.ts';
import { MAX_MESSAGE_BYTES } from '../../platform/queue-sending.ts';
import { Unavailable } from '../../platform/unavailable.ts';
import { errorOf } from '../../platform/values/typed.ts';
import type { WorkerName } from '../operations/workers.ts';

/**
 * A record of a batch that is not through, by its place, and why: what the store cannot do now is tried again, anything else parked.
 * `part` is what of its work is left, where that is not all.
 */
export interface NotThrough {
  at: number;
  part?: string;
  cause: unknown;
}

/** A record as it is parked, and put through again: `part` is what of its work is left. */
export type ParkedRecord = DynamoDBRecord & { part?: string };

/**
 * Parks what can never be processed and resolves to the first record that waits: what comes after it comes again with it, and is not
 * parked now, lest it be parked and processed.
 */
export function createParking({ log, queue }: Pick<Effects, 'log'> & { queue: Queue }, worker: WorkerName) {
  async function park(record: ParkedRecord, cause: unknown): Promise<void> {
    log.error('record parked', { operation: worker, eventId: record.eventID, stack: errorOf(cause).stack });
    await queue.send('parked', whatFits(worker, record));
  }

  return async (records: DynamoDBRecord[], left: readonly NotThrough[]): Promise<NotThrough | undefined> => {
    const waits = ({ cause }: NotThrough) => (cause instanceof Unavailable ? 0 : 1);
    for (const one of left.toSorted((a, b) => a.at - b.at || waits(a) - waits(b))) {
      if (one.cause instanceof Unavailable) return one;
      try {
        await park({ ...records[one.at]!, ...(one.part && { part: one.part }) }, one.cause);
      } catch (cause) {
        return { at: one.at, cause };
      }
    }
    return undefined;
  };
}

/** A record as it is parked: whole, or without its images where a message cannot hold them; its keys say which item it was. */
function whatFits(worker: WorkerName, record: ParkedRecord) {
  const whole = { worker, record };
  if (Buffer.byteLength(messageText(whole)) <= MAX_MESSAGE_BYTES) return whole;
  const { OldImage, NewImage, ...rest } = record.dynamodb!;
  return { worker, record: { ...record, dynamodb: rest } };
}
