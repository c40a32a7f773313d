import {
  DeleteMessageBatchCommand,
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
  /** Hands messages to the function and deletes those of which it does not say that they are not through. */
  handOn(messages: readonly Message[]): Promise<void>;
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
    async handOn(messages) {
      const Records = messages.map(
        ({ MessageId, ReceiptHandle, Body, Attributes }) =>
          ({ messageId: MessageId!, receiptHandle: ReceiptHandle!, body: Body!, attributes: Attributes }) as SQSRecord,
      );
      const { batchItemFailures } = await handler({ Records });
      const left = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      const Entries = messages
        .filter(({ MessageId }) => !left.has(MessageId!))
        .map(({ MessageId, ReceiptHandle }) => ({ Id: MessageId!, ReceiptHandle: ReceiptHandle! }));
      if (Entries.length > 0) await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }));
    },
  };
}
