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
/** How long an instance uses the number before it asks again. */
const KNOWN_FOR_MS = 5_000;

/**
 * Defines a function on a queue from a handler of one message. If the handler throws, the message comes back after the queue's
 * visibility timeout.
 */
export function queueWorker<T extends Queued>(
  name: WorkerName,
  queue: QueueName,
  define: (effects: WorkerEffects) => (message: T) => Promise<Handled>,
) {
  return (effects: WorkerEffects): QueueHandler => {
    const act = define(effects);
    const isCrowded = crowding(effects, queue);

    /** Returns true if the message was sent again: the received one can be deleted. */
    async function putOff(message: T, receipt: string, ms: number): Promise<boolean> {
      const shouldResend = ms >= LONG_MS && (await isCrowded());
      if (shouldResend) await effects.queue.send(queue, message, { group: message.owner, delayMs: ms });
      else await effects.queue.postpone(queue, receipt, ms);
      return shouldResend;
    }

    /** Returns whether the message is done and can be deleted. */
    async function handle(record: SQSRecord): Promise<boolean> {
      const { messageId, receiptHandle } = record;
      try {
        const message = read<T>(record);
        const handled = await act(message);
        // A message is deleted only after its copy was sent. A crash in between leaves a duplicate, but never loses a message.
        return handled.outcome === 'done' || (await putOff(message, receiptHandle, handled.ms));
      } catch (error) {
        effects.log[getLogLevel(error)]('message comes back', { operation: name, messageId, cause: String(error) });
        return false;
      }
    }

    /** Handles all messages at once, so none waits for a slow one. */
    async function handleAll({ Records }: SQSEvent): Promise<SQSBatchResponse> {
      const isDone = await Promise.all(Records.map(handle));
      effects.metrics.flush();
      const left = Records.filter((_, at) => !isDone[at]);
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

/** Returns a function that checks whether many messages are in flight. It asks SQS rarely, and keeps the last number if SQS fails. */
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
