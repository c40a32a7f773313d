import { createHash } from 'node:crypto';
import type { BatchResultErrorEntry, SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import {
  ChangeMessageVisibilityCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  SendMessageBatchCommand,
  SQSClient,
  type SQSClientConfig,
} from '@aws-sdk/client-sqs';
import type { QueueName } from './queues.ts';
import { inSameMoment } from './sharing.ts';
import { Unavailable } from './unavailable.ts';
import { escapeUnits } from './values/characters.ts';
import { toError } from './values/typed.ts';

/** The SQS calls that functions use. They throw `Unavailable` if SQS is unavailable. */
export interface Queue {
  /**
   * Sends a JSON message with a delay of at most 15 minutes. Messages of one group do not delay those of others. Messages that are sent
   * at the same moment share a request, but each one can fail separately.
   */
  send(queue: QueueName, message: unknown, options?: { group?: string; delayMs?: number }): Promise<void>;
  /** Hides a received message for `ms`. It is then delivered again, unless it was deleted. */
  postpone(queue: QueueName, receipt: string, ms: number): Promise<void>;
  /** The approximate number of messages that are being processed or postponed. */
  inFlight(queue: QueueName): Promise<number>;
}

/**
 * SQS hides a message for at most 12 hours from its receipt; one minute is reserved for the function that received it. A message that
 * returns before its delivery is due is postponed again.
 */
const MAX_HIDDEN_SECONDS = 12 * 60 * 60 - 60;
/** SQS delays a message for at most 15 minutes. */
const MAX_DELAY_SECONDS = 15 * 60;

const secondsUpTo = (ms: number, max: number): number => Math.min(max, Math.max(0, Math.ceil(ms / 1000)));

/** Hashes a group, because users choose its name, which can have more and other characters than SQS allows. */
const groupId = (group: string): string => createHash('sha256').update(group).digest('hex');

/** A message as JSON, with the characters escaped that SQS or its stand-in reject (U+FFFE, U+FFFF, emoji). */
export const messageText = (message: unknown): string =>
  escapeUnits(JSON.stringify(message), /[\ud800-\udfff\ufffe\uffff]/g);

/**
 * Errors in the call itself, which fail on every retry. All others are temporary: throttling, an outage, or a missing grant or queue, which
 * an operator can fix.
 */
const isOurMistake = (error: unknown): boolean =>
  /^(AWS\.SimpleQueueService\.)?(Invalid|MissingParameter|UnsupportedOperation|ReceiptHandle|MessageNotInflight|TypeError)/.test(
    toError(error).name,
  );

const asThrown = (error: unknown): unknown =>
  isOurMistake(error) ? error : new Unavailable('the queue cannot answer now', { cause: error });

/** Queues over SQS, or anything that speaks its protocol (`AWS_ENDPOINT_URL_SQS`). */
export function openQueue(prefix: string, client: SQSClientConfig = {}): Queue {
  const sqs = new SQSClient(client);
  const urls = new Map<QueueName, Promise<string>>();
  const getUrl = (queue: QueueName) => {
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
      return await act(await getUrl(queue));
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
        DelaySeconds: secondsUpTo(delayMs, MAX_DELAY_SECONDS),
      }),
    postpone: (queue, receipt, ms) =>
      call(queue, async (QueueUrl) => {
        const VisibilityTimeout = secondsUpTo(ms, MAX_HIDDEN_SECONDS);
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

/** Maximum bytes of a message, and of all messages in a request. */
export const MAX_MESSAGE_BYTES = 256 * 1024;

type OutgoingMessage = Omit<SendMessageBatchRequestEntry, 'Id'>;

interface Waiting {
  message: OutgoingMessage;
  sent: PromiseWithResolvers<void>;
}

/** Maximum messages in a request. */
const MAX_BATCH_SIZE = 10;

/**
 * Sends messages. Messages sent in the same moment share a request, because SQS bills per request.
 * @param asThrown converts an error to the one that `send` throws
 * @param send sends one request, and returns the rejected messages by index
 */
function createSending(
  asThrown: (fault: unknown) => unknown,
  send: (queue: QueueName, entries: SendMessageBatchRequestEntry[]) => Promise<BatchResultErrorEntry[]>,
) {
  async function sendTogether(queue: QueueName, together: readonly Waiting[]): Promise<void> {
    try {
      const failed = await send(
        queue,
        together.map(({ message }, at) => ({ ...message, Id: String(at) })),
      );
      for (const { Id, Code: name, Message } of failed)
        together[Number(Id)]?.sent.reject(asThrown(Object.assign(new Error(Message), { name })));
      for (const { sent } of together) sent.resolve(); // No effect on messages already rejected above.
    } catch (error) {
      // One bad message must not fail the others: send each one by itself.
      if (together.length > 1 && !(error instanceof Unavailable))
        for (const one of together) void sendTogether(queue, [one]);
      else for (const { sent } of together) sent.reject(error);
    }
  }

  const gather = inSameMoment<QueueName, Waiting>((queue, all) => {
    for (const together of toBatches(all)) void sendTogether(queue, together);
  });

  return (queue: QueueName, message: OutgoingMessage): Promise<void> => {
    const sent = Promise.withResolvers<void>();
    gather(queue, { message, sent });
    return sent.promise;
  };
}

/** Splits messages into requests, in order, each as full as possible. */
function toBatches(all: readonly Waiting[]): Waiting[][] {
  const requests: Waiting[][] = [];
  let room = 0;
  for (const one of all) {
    const bytes = Buffer.byteLength(one.message.MessageBody!);
    const last = requests.at(-1);
    if (last && last.length < MAX_BATCH_SIZE && bytes <= room) last.push(one);
    else {
      requests.push([one]);
      room = MAX_MESSAGE_BYTES;
    }
    room -= bytes;
  }
  return requests;
}
