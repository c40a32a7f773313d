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
export interface Received {
  /** Messages that are there, at most ten. */
  take(most: number): Promise<Message[]>;
  /** Deletes messages that are through. */
  remove(messages: readonly Message[]): Promise<void>;
}

/** What Lambda's event source mapping does in the cloud with a queue. */
export interface LocalReceiver extends Pick<Received, 'take'> {
  /** Hands messages to the function and deletes those of which it does not say that they are not through. */
  handOn(messages: readonly Message[]): Promise<void>;
}

/** A queue of SQS, or of what stands in for it. */
export function openReceived(client: SQSClientConfig, queue: string): Received {
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
    async remove(messages) {
      const Entries = messages.map(({ MessageId, ReceiptHandle }) => ({
        Id: MessageId!,
        ReceiptHandle: ReceiptHandle!,
      }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }));
    },
  };
}

export const createReceiver = ({ take, remove }: Received, handler: QueueHandler): LocalReceiver => ({
  take,
  async handOn(messages) {
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
