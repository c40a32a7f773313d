import {
  DeleteMessageCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SQSClient,
  type SQSClientConfig,
} from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import type { QueueHandler } from '../../shared/stream/queue-worker.ts';

export interface Receiver {
  /** Hands on one message, if one is there; resolves to how many there were. */
  receive(): Promise<number>;
}

/**
 * What Lambda's event source mapping does in the cloud with a queue, one message at a time: hands it to the function and deletes
 * it, unless the function says that it is not through.
 */
export function createReceiver(client: SQSClientConfig, queue: string, handler: QueueHandler): Receiver {
  const sqs = new SQSClient(client);
  let url: string | undefined;

  return {
    async receive() {
      url ??= (await sqs.send(new GetQueueUrlCommand({ QueueName: queue }))).QueueUrl!;
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 1 }));
      for (const { MessageId, ReceiptHandle, Body } of Messages) {
        const record = { messageId: MessageId!, receiptHandle: ReceiptHandle!, body: Body! } as SQSRecord;
        const { batchItemFailures } = await handler({ Records: [record] });
        if (batchItemFailures.length === 0) await sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle }));
      }
      return Messages.length;
    },
  };
}
