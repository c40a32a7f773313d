import type { Message } from '@aws-sdk/client-sqs';
import type { Log } from '../../shared/platform/log.ts';
import { type Queued, queues } from '../../shared/platform/queues.ts';
import type { QueuePoller } from './queue-poller.ts';

interface Consumer {
  /** Receives messages and starts as many as there is room for, without waiting for them. Resolves to the number received. */
  consume(): Promise<number>;
  /** Starts no more messages, and waits for those in flight. */
  stop(): Promise<void>;
}

/** One owner gets at most an eighth of the concurrency. */
const OWNER_SHARES = 8;
const MAX_MESSAGES = 10;
/** Drop a message that waited longer: its visibility timeout is about to end, and the queue delivers it again. */
const MAX_WAIT_MS = queues.deliveries.visibilitySeconds * 1000 * 0.7;

/**
 * Stands in for SQS fair queues and the concurrency of the event source: processes at most `maxPerOwner` messages of one owner, and eight
 * times as many in total. Owners take turns, so a busy owner does not delay the others.
 */
export function createConsumer(receiver: QueuePoller, maxPerOwner: number, log: Log): Consumer {
  const waiting = new Map<string, { message: Message; receivedAt: number }[]>();
  const inFlight = new Map<Promise<void>, string>();
  let stopped = false;

  const hasRoom = (owner: string) => [...inFlight.values()].filter((one) => one === owner).length < maxPerOwner;

  function invoke(owner: string, message: Message): void {
    const done = receiver
      .invoke([message])
      .catch((error) => log.error('background work failed', { cause: String(error) }))
      .finally(() => {
        inFlight.delete(done);
        fill();
      });
    inFlight.set(done, owner);
  }

  function fill(): void {
    while (!stopped && inFlight.size < OWNER_SHARES * maxPerOwner) {
      const owner = [...waiting.keys()].find(hasRoom);
      if (owner === undefined) return;
      const messages = waiting.get(owner)!;
      const { message, receivedAt } = messages.shift()!;
      waiting.delete(owner);
      if (messages.length > 0) waiting.set(owner, messages); // behind the others
      if (Date.now() - receivedAt < MAX_WAIT_MS) invoke(owner, message);
    }
  }

  return {
    async consume() {
      const messages = await receiver.receive(MAX_MESSAGES);
      for (const message of messages) {
        const { owner }: Queued = JSON.parse(message.Body!);
        const ofOwner = waiting.get(owner) ?? [];
        ofOwner.push({ message, receivedAt: Date.now() });
        waiting.set(owner, ofOwner);
      }
      fill();
      return messages.length;
    },
    async stop() {
      stopped = true;
      await Promise.all(inFlight.keys());
    },
  };
}
