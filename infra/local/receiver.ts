import {
  DeleteMessageCommand,
  GetQueueUrlCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
  type SQSClientConfig,
} from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import type { QueueHandler } from '../../shared/workers/queue-worker.ts';

/** What Lambda's event source mapping does in the cloud with a queue. */
export interface LocalReceiver {
  /** Messages that are there, at most ten. */
  take(most: number): Promise<Message[]>;
  /** Hands a message to the function and deletes it, unless the function says that it is not through. */
  handOn(message: Message): Promise<void>;
}

export function createReceiver(client: SQSClientConfig, queue: string, handler: QueueHandler): LocalReceiver {
  const sqs = new SQSClient(client);
  let url: string | undefined;

  return {
    async take(most) {
      url ??= (await sqs.send(new GetQueueUrlCommand({ QueueName: queue }))).QueueUrl!;
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: url,
          MaxNumberOfMessages: most,
          MessageSystemAttributeNames: ['SentTimestamp'],
        }),
      );
      return Messages;
    },
    async handOn({ MessageId, ReceiptHandle, Body, Attributes }) {
      const record = { messageId: MessageId!, receiptHandle: ReceiptHandle!, body: Body!, attributes: Attributes };
      const { batchItemFailures } = await handler({ Records: [record as SQSRecord] });
      if (batchItemFailures.length === 0) await sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }));
    },
  };
}
