import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Handled, Queued, QueueName } from '../../platform/queues.ts';
import { getLogLevel, Unavailable } from '../../platform/unavailable.ts';
import type { WorkerName } from '../operations/workers.ts';
import type { WorkerEffects } from './worker.ts';
import { type Invocation, inItsTime } from './worker.ts';

export type QueueHandler = (event: SQSEvent, invocation?: Invocation) => Promise<SQSBatchResponse>;

/**
 * SQS stops delivering at 120,000 messages in flight, which include hidden ones. From half of that, a message with a long wait is
 * sent again with a delay, because delayed messages do not count. The reported number is about a minute old.
 */
const MANY_IN_FLIGHT = 60_000;
const LONG_MS = 4_000;
/** How old an instance's knowledge of that number may be. */
const KNOWN_FOR_MS = 5_000;

/**
 * A function on a queue, around one plain function for one message. What throws comes back when the queue's own visibility
 * timeout ends.
 */
export function queueWorker<T extends Queued>(
  name: WorkerName,
  queue: QueueName,
  define: (effects: WorkerEffects) => (message: T) => Promise<Handled>,
) {
  return (effects: WorkerEffects): QueueHandler => {
    const act = define(effects);
    const isCrowded = crowding(effects, queue);

    /** Resolves to whether the received message can be deleted, because it was sent again. */
    async function putOff(message: T, receipt: string, ms: number): Promise<boolean> {
      const shouldResend = ms >= LONG_MS && (await isCrowded());
      if (shouldResend) await effects.queue.send(queue, message, { group: message.owner, delayMs: ms });
      else await effects.queue.postpone(queue, receipt, ms);
      return shouldResend;
    }

    /** Resolves to whether a message is through. */
    async function handle(record: SQSRecord): Promise<boolean> {
      const { messageId, receiptHandle } = record;
      try {
        const message = read<T>(record);
        const handled = await act(message);
        // The old message is deleted after the new one was sent: a crash between the two leaves one too many, never one too few.
        return handled.outcome === 'done' || (await putOff(message, receiptHandle, handled.ms));
      } catch (error) {
        effects.log[getLogLevel(error)]('message comes back', { operation: name, messageId, cause: String(error) });
        return false;
      }
    }

    /** All at once: none waits for a slow neighbour. */
    async function handleAll({ Records }: SQSEvent): Promise<SQSBatchResponse> {
      const through = await Promise.all(Records.map(handle));
      effects.metrics.flush();
      const left = Records.filter((_, at) => !through[at]);
      return { batchItemFailures: left.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    }

    return (event, invocation) => inItsTime(effects.clock, invocation, () => handleAll(event));
  };
}

/** Parses a message. Messages of the previous version lack `sentAt`, but were never sent again. */
function read<T extends Queued>({ body, attributes }: SQSRecord): T {
  const message: Omit<T, 'sentAt'> & Partial<Queued> = JSON.parse(body);
  return { ...message, sentAt: message.sentAt ?? Number(attributes.SentTimestamp) } as T;
}

/** Asks how many messages are in flight, rarely; when that cannot be told now, what was known last stands. */
function crowding({ clock, queue }: WorkerEffects, name: QueueName): () => Promise<boolean> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let inFlight = 0;
  return async () => {
    const now = clock.now();
    if (now - askedAt >= KNOWN_FOR_MS) {
      askedAt = now;
      try {
        inFlight = await queue.inFlight(name);
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
      }
    }
    return inFlight > MANY_IN_FLIGHT;
  };
}
