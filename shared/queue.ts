import {
  ChangeMessageVisibilityCommand,
  GetQueueUrlCommand,
  SendMessageCommand,
  SQSClient,
  type SQSClientConfig,
} from '@aws-sdk/client-sqs';
import { Unavailable } from './database.ts';
import type { QueueName } from './queues.ts';

/** What functions ask of SQS. What it cannot do now is `Unavailable`. */
export interface Queue {
  /** Puts a JSON message on a queue. Messages of one group do not keep those of others waiting. */
  send(queue: QueueName, message: unknown, group?: string): Promise<void>;
  /** Hides a message that was received for so long; it comes back then, unless it is through. */
  postpone(queue: QueueName, receipt: string, ms: number): Promise<void>;
}

/** Bytes that a message may have. */
export const MOST_BYTES = 256 * 1024;
/** The longest that SQS hides a message. */
const MOST_SECONDS = 12 * 60 * 60;

/** A message as text: what SQS or its stand-in refuse though JSON allows it (U+FFFE, U+FFFF, emoji) is escaped. */
export const messageText = (message: unknown): string =>
  JSON.stringify(message).replace(
    /[\ud800-\udfff\ufffe\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/**
 * What is wrong with the call itself and fails for ever. Everything else passes: throttling, an outage, and also a missing grant
 * or queue, once somebody mends it.
 */
const isOurMistake = (error: unknown): boolean =>
  /^(AWS\.SimpleQueueService\.)?(Invalid|MissingParameter|UnsupportedOperation|ReceiptHandle|MessageNotInflight|TypeError)/.test(
    (error as Error).name,
  );

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

  async function call(queue: QueueName, act: (QueueUrl: string) => Promise<unknown>): Promise<void> {
    try {
      await act(await urlOf(queue));
    } catch (error) {
      throw isOurMistake(error) ? error : new Unavailable('the queue cannot answer now', { cause: error });
    }
  }

  return {
    send: (queue, message, group) =>
      call(queue, (QueueUrl) =>
        sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: messageText(message), MessageGroupId: group })),
      ),
    postpone: (queue, receipt, ms) =>
      call(queue, (QueueUrl) => {
        const VisibilityTimeout = Math.min(MOST_SECONDS, Math.max(0, Math.ceil(ms / 1000)));
        return sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: receipt, VisibilityTimeout }));
      }),
  };
}
