import { GetQueueUrlCommand, SendMessageCommand, SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import type { QueueName } from './queues.ts';

/** What functions ask of SQS. */
export interface Queue {
  /** Puts a JSON message on a queue. */
  send(queue: QueueName, message: unknown): Promise<void>;
}

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
    async send(queue, message) {
      await sqs.send(new SendMessageCommand({ QueueUrl: await urlOf(queue), MessageBody: JSON.stringify(message) }));
    },
  };
}
