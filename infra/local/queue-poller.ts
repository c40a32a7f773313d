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

/** The calls to a queue that a poller needs. */
export interface QueueClient {
  /** Receives available messages, at most ten. */
  receive(most: number): Promise<Message[]>;
  /** Deletes processed messages. */
  remove(messages: readonly Message[]): Promise<void>;
}

/** Stands in for Lambda's event source mapping on a queue. */
export interface QueuePoller extends Pick<QueueClient, 'receive'> {
  /** Invokes the function with messages, and deletes those that it does not report as failed. */
  invoke(messages: readonly Message[]): Promise<void>;
}

/** Opens a queue of SQS or its stand-in. */
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
