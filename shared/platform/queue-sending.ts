import type { BatchResultErrorEntry, SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import type { QueueName } from './queues.ts';
import { inSameMoment } from './same-moment.ts';
import { Unavailable } from './unavailable.ts';

/** Bytes that a message may have, and those of one request together. */
export const MAX_MESSAGE_BYTES = 256 * 1024;

type OutgoingMessage = Omit<SendMessageBatchRequestEntry, 'Id'>;

interface Waiting {
  message: OutgoingMessage;
  sent: PromiseWithResolvers<void>;
}

/** Messages that SQS takes in one request. */
const MOST_IN_REQUEST = 10;

/**
 * Sends messages, those of the same moment in one request: SQS is paid by requests.
 * @param asThrown what a message fails with; @param send resolves to those messages, by their place, that SQS did not take
 */
export function createSending(
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
      for (const { sent } of together) sent.resolve(); // those that failed have ended already
    } catch (error) {
      // One that no request can hold does not take its neighbours along.
      if (together.length > 1 && !(error instanceof Unavailable))
        for (const one of together) void sendTogether(queue, [one]);
      else for (const { sent } of together) sent.reject(error);
    }
  }

  const gather = inSameMoment<QueueName, Waiting>((queue, all) => {
    for (const together of requestsOf(all)) void sendTogether(queue, together);
  });

  return (queue: QueueName, message: OutgoingMessage): Promise<void> => {
    const sent = Promise.withResolvers<void>();
    gather(queue, { message, sent });
    return sent.promise;
  };
}

/** Messages in their order, as many in a request as it takes. */
function requestsOf(all: readonly Waiting[]): Waiting[][] {
  const requests: Waiting[][] = [];
  let room = 0;
  for (const one of all) {
    const bytes = Buffer.byteLength(one.message.MessageBody!);
    const last = requests.at(-1);
    if (last && last.length < MOST_IN_REQUEST && bytes <= room) last.push(one);
    else {
      requests.push([one]);
      room = MAX_MESSAGE_BYTES;
    }
    room -= bytes;
  }
  return requests;
}
