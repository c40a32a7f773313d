import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { WorkerName } from '../endpoints.ts';
import type { QueueName } from '../queues.ts';
import { type Invocation, inItsTime } from './invocation.ts';
import type { WorkerEffects } from './worker.ts';

export type QueueHandler = (event: SQSEvent, invocation?: Invocation) => Promise<SQSBatchResponse>;

/** A message is through, or comes back after so many milliseconds. */
export type Handled = 'through' | { laterMs: number };

/**
 * A function on a queue, around one plain function for one message. What throws comes back when the queue's own visibility
 * timeout ends.
 */
export function queueWorker<T>(
  name: WorkerName,
  queue: QueueName,
  define: (effects: WorkerEffects) => (message: T) => Promise<Handled>,
) {
  return (effects: WorkerEffects): QueueHandler => {
    const act = define(effects);
    async function handle({ Records }: SQSEvent): Promise<SQSBatchResponse> {
      const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
      for (const { messageId, receiptHandle, body } of Records) {
        try {
          const handled = await act(JSON.parse(body) as T);
          if (handled === 'through') continue;
          await effects.queue.postpone(queue, receiptHandle, handled.laterMs);
        } catch (error) {
          effects.log.warn('message comes back', { operation: name, messageId, cause: String(error) });
        }
        batchItemFailures.push({ itemIdentifier: messageId });
      }
      effects.metrics.flush();
      return { batchItemFailures };
    }

    return (event, invocation) => inItsTime(effects.clock, invocation, () => handle(event));
  };
}
