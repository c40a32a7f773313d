import {
  ChangeMessageVisibilityCommand,
  GetQueueUrlCommand,
  SendMessageCommand,
  SQSClient,
  type SQSClientConfig,
} from '@aws-sdk/client-sqs';
import type { QueueName } from './queues.ts';

/** What functions ask of SQS. */
export interface Queue {
  /** Puts a JSON message on a queue. Messages of one group do not keep those of others waiting. */
  send(queue: QueueName, message: unknown, group?: string): Promise<void>;
  /** Hides a message that was received for so long; it comes back then, unless it is through. */
  postpone(queue: QueueName, receipt: string, ms: number): Promise<void>;
}

/** The longest that SQS hides a message. */
const MOST_SECONDS = 12 * 60 * 60;

/** Queues over SQS, or anything that speaks its protocol (`AWS_ENDPOINT_URL_SQS`). */
export function openQueue(prefix: string, client: SQSClientConfig = {}): Queue {
  const sqs = new SQSClient(client);
  const urls = new Map<QueueName, Promise<string>>();
  const urlOf = (queue: QueueName) => {
    const known = urls.get(queue);
    if (known) return known;
    const found = sqs
      .send(new GetQueueUrlCommand({ QueueName: `${prefix}${queue}` }))
      .then(({ QueueUrl }) => QueueUrl!);
    urls.set(queue, found);
    found.catch(() => urls.delete(queue));
    return found;
  };
  return {
    async send(queue, message, group) {
      const QueueUrl = await urlOf(queue);
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(message), MessageGroupId: group }));
    },
    async postpone(queue, receipt, ms) {
      const VisibilityTimeout = Math.min(MOST_SECONDS, Math.max(0, Math.ceil(ms / 1000)));
      const QueueUrl = await urlOf(queue);
      await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: receipt, VisibilityTimeout }));
    },
  };
}
