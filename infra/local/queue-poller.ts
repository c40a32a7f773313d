import {
  DeleteMessageBatchCommand,
  GetQueueUrlCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
  type SQSClientConfig,
} from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import type { QueueHandler } from '../../shared/http/workers/queue-worker.ts';

/** A queue, as its receiver needs it. */
export interface QueueClient {
  /** Messages that are there, at most ten. */
  receive(most: number): Promise<Message[]>;
  /** Deletes messages that are through. */
  remove(messages: readonly Message[]): Promise<void>;
}

/** What Lambda's event source mapping does in the cloud with a queue. */
export interface QueuePoller extends Pick<QueueClient, 'receive'> {
  /** Hands messages to the function and deletes those of which it does not say that they are not through. */
  invoke(messages: readonly Message[]): Promise<void>;
}

/** A queue of SQS, or of what stands in for it. */
export function openQueueClient(client: SQSClientConfig, queue: string): QueueClient {
  const sqs = new SQSClient(client);
  let url: string | undefined;

  return {
    async receive(most) {
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
    async remove(messages) {
      const Entries = messages.map(({ MessageId, ReceiptHandle }) => ({
        Id: MessageId!,
        ReceiptHandle: ReceiptHandle!,
      }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }));
    },
  };
}

export const createQueuePoller = ({ receive, remove }: QueueClient, handler: QueueHandler): QueuePoller => ({
  receive,
  async invoke(messages) {
    const Records = messages.map(
      ({ MessageId, ReceiptHandle, Body, Attributes }) =>
        ({ messageId: MessageId!, receiptHandle: ReceiptHandle!, body: Body!, attributes: Attributes }) as SQSRecord,
    );
    const { batchItemFailures } = await handler({ Records });
    const left = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    const through = messages.filter(({ MessageId }) => !left.has(MessageId!));
    if (through.length > 0) await remove(through);
  },
});
