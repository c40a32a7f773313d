import type { DynamoDBRecord } from 'aws-lambda';
import type { Subject } from '../../platform/breakdowns.ts';
import type { Update } from '../../platform/count-once.ts';
import type { Values } from '../../platform/database.ts';
import type { Effects } from '../../platform/effects.ts';
import { MAX_MESSAGE_BYTES, messageText, type Queue } from '../../platform/queue.ts';
import { type Claim, skipOnce, toClaim } from '../../platform/skip-once.ts';
import { Unavailable } from '../../platform/unavailable.ts';
import { toError } from '../../platform/values/typed.ts';
import { type WorkerName, workerRow } from '../operations/workers.ts';

/**
 * A failed record, by its index in the batch, and the cause. Retried if the cause is `Unavailable`, parked otherwise. `part` is the
 * remaining work, if not all of it.
 */
export interface NotThrough {
  at: number;
  part?: string;
  cause: unknown;
}

/**
 * A parked record. `part` is the remaining work when it is processed again. With a claim that does not exist, it is void, because the stream
 * counts the record.
 */
export type ParkedRecord = DynamoDBRecord & { part?: string; claim?: Claim };

/** Sends the message of a record that a row is about to skip. */
export type Park = (one: NotThrough & { claim: Claim }) => Promise<void>;

export function createParking({ log, queue }: Pick<Effects, 'log'> & { queue: Queue }, worker: WorkerName) {
  async function park(record: ParkedRecord, cause: unknown, delayMs = 0): Promise<void> {
    log.error('record parked', { operation: worker, eventId: record.eventID, stack: toError(cause).stack });
    await queue.send('parked', whatFits(worker, record), { delayMs });
  }

  return {
    /** Hides the message until this invocation has ended, so that nobody finds it void because its claim is not stored yet. */
    parkClaimed: (records: readonly DynamoDBRecord[], { at, part, claim, cause }: Parameters<Park>[0]): Promise<void> =>
      park({ ...records[at]!, ...(part && { part }), claim }, cause, workerRow(worker).timeoutSeconds * 1000),

    /**
     * Parks the records that can never be processed, and returns the first record to retry. Lambda retries everything after that one too,
     * so later records are not parked now: they would be both parked and processed.
     */
    async firstWaiting(
      records: readonly DynamoDBRecord[],
      left: readonly NotThrough[],
    ): Promise<NotThrough | undefined> {
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
    },
  };
}

/** A row that refused records, and the part of their work that it counts. */
interface RefusingRow<A> {
  part: string;
  subjectOf(addition: A): Subject;
  /** The write that sets the position and counts nothing. */
  skip(position: Values): Update;
}

/**
 * Parks records that a row refused to count. First, it sends their messages; then one transaction skips the records on the row and stores their
 * claims. After a crash in between, Lambda delivers the batch again, and the messages are void, because they have no claims. So each record
 * counts either from the stream or from its message.
 * @returns the failures: to retry, or, if the row cannot even skip the records, to park without claims
 */
export async function parkRefused<A extends { sequence: string; place: { shard: string | undefined; at: number } }>(
  effects: Pick<Effects, 'db' | 'clock'>,
  park: Park,
  { part, subjectOf, skip }: RefusingRow<A>,
  additions: readonly A[],
  cause: unknown,
): Promise<NotThrough[]> {
  const failWith = (why: unknown) => additions.map(({ place: { at } }) => ({ at, part, cause: why }));
  const shard = additions[0]?.place.shard;
  if (cause instanceof Unavailable || shard === undefined) return failWith(cause);
  const claimOf = (one: A) => toClaim(subjectOf(one), part, shard, one.sequence);
  const byRecord = new Map(additions.map((one) => [one.sequence, one]));
  try {
    await Promise.all(
      [...byRecord.values()].map((one) => park({ at: one.place.at, part, cause, claim: claimOf(one) })),
    );
    await skipOnce(effects, shard, additions, skip, claimOf);
    return [];
  } catch (error) {
    return failWith(error instanceof Unavailable ? error : cause);
  }
}

/** The message for a parked record. If it is too large, it omits the images, and the keys still identify the item. */
function whatFits(worker: WorkerName, record: ParkedRecord) {
  const whole = { worker, record };
  if (Buffer.byteLength(messageText(whole)) <= MAX_MESSAGE_BYTES) return whole;
  const { OldImage, NewImage, ...rest } = record.dynamodb!;
  return { worker, record: { ...record, dynamodb: rest } };
}
