import { createHash } from 'node:crypto';
import {
  ChangeMessageVisibilityCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  SendMessageBatchCommand,
  SQSClient,
  type SQSClientConfig,
} from '@aws-sdk/client-sqs';
import { createSending } from './queue-sending.ts';
import type { QueueName } from './queues.ts';
import { Unavailable } from './unavailable.ts';
import { escapeUnits } from './values/escape.ts';
import { errorOf } from './values/typed.ts';

/** What functions ask of SQS. What it cannot do now is `Unavailable`. */
export interface Queue {
  /**
   * Puts a JSON message on a queue, to be received after a delay of at most 15 minutes. Messages of one group do not keep those of
   * others waiting. What is sent at the same moment goes in one request, and each message fails by itself.
   */
  send(queue: QueueName, message: unknown, options?: { group?: string; delayMs?: number }): Promise<void>;
  /** Hides a message that was received for so long; it comes back then, unless it is through. */
  postpone(queue: QueueName, receipt: string, ms: number): Promise<void>;
  /** About how many messages are hidden: being worked on, or postponed. */
  inFlight(queue: QueueName): Promise<number>;
}

/**
 * SQS hides a message for at most 12 hours, counted from its receipt: a minute less leaves room for the function that received it.
 * A message that returns before its delivery is due is postponed again.
 */
const MOST_HIDDEN_SECONDS = 12 * 60 * 60 - 60;
/** The longest that SQS delays a message. */
const MOST_DELAY_SECONDS = 15 * 60;

const secondsUpTo = (ms: number, most: number): number => Math.min(most, Math.max(0, Math.ceil(ms / 1000)));

/** Groups are named by users, who may use more letters than SQS allows in them, and more of them. */
const groupId = (group: string): string => createHash('sha256').update(group).digest('hex');

/** A message as text: what SQS or its stand-in refuse though JSON allows it (U+FFFE, U+FFFF, emoji) is escaped. */
export const messageText = (message: unknown): string =>
  escapeUnits(JSON.stringify(message), /[\ud800-\udfff\ufffe\uffff]/g);

/**
 * What is wrong with the call itself and fails for ever. Everything else passes: throttling, an outage, and also a missing grant
 * or queue, once somebody mends it.
 */
const isOurMistake = (error: unknown): boolean =>
  /^(AWS\.SimpleQueueService\.)?(Invalid|MissingParameter|UnsupportedOperation|ReceiptHandle|MessageNotInflight|TypeError)/.test(
    errorOf(error).name,
  );

const asThrown = (error: unknown): unknown =>
  isOurMistake(error) ? error : new Unavailable('the queue cannot answer now', { cause: error });

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

  async function call<T>(queue: QueueName, act: (QueueUrl: string) => Promise<T>): Promise<T> {
    try {
      return await act(await urlOf(queue));
    } catch (error) {
      throw asThrown(error);
    }
  }

  const sending = createSending(asThrown, (queue, Entries) =>
    call(queue, async (QueueUrl) => {
      const { Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
      return Failed;
    }),
  );

  return {
    send: (queue, message, { group, delayMs = 0 } = {}) =>
      sending(queue, {
        MessageBody: messageText(message),
        MessageGroupId: group === undefined ? undefined : groupId(group),
        DelaySeconds: secondsUpTo(delayMs, MOST_DELAY_SECONDS),
      }),
    postpone: (queue, receipt, ms) =>
      call(queue, async (QueueUrl) => {
        const VisibilityTimeout = secondsUpTo(ms, MOST_HIDDEN_SECONDS);
        await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: receipt, VisibilityTimeout }));
      }),
    inFlight: (queue) =>
      call(queue, async (QueueUrl) => {
        const { Attributes } = await sqs.send(
          new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessagesNotVisible'] }),
        );
        return Number(Attributes?.ApproximateNumberOfMessagesNotVisible ?? 0);
      }),
  };
}
