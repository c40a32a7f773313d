import type { Clock } from '../../shared/platform/clock.ts';
import { messageText, type Queue } from '../../shared/platform/queue.ts';
import type { QueueName } from '../../shared/platform/queues.ts';

interface QueuedMessage {
  queue: QueueName;
  receipt: string;
  body: string;
  group: string | undefined;
  sentAt: number;
  /** Sent with a delay that has not elapsed: hidden, but not in flight. */
  delayed: boolean;
  visibleAt: number;
}

/** The maximum delay of SQS. */
const MAX_DELAY_MS = 15 * 60 * 1000;

/** The Queue interface in memory, on a test clock. Messages are received in the order in which they become visible. */
export function createMemoryQueue(clock: Pick<Clock, 'now'>) {
  const messages = new Map<string, QueuedMessage>();
  const ready: QueuedMessage[] = [];
  const hidden = new Set<QueuedMessage>();
  /** The time at which the first hidden message becomes visible. */
  let firstAt = Number.POSITIVE_INFINITY;
  let sentCount = 0;
  let head = 0;

  const hide = (message: QueuedMessage, until: number) => {
    message.visibleAt = until;
    hidden.add(message);
    firstAt = Math.min(firstAt, until);
  };
  const show = () => {
    if (clock.now() < firstAt) return;
    const due = [...hidden].filter(({ visibleAt }) => visibleAt <= clock.now());
    for (const message of due.sort((a, b) => a.visibleAt - b.visibleAt)) {
      hidden.delete(message);
      message.delayed = false;
      ready.push(message);
    }
    firstAt = Math.min(...[...hidden].map(({ visibleAt }) => visibleAt));
  };

  /** The index of the oldest message of the group with the fewest messages in flight. */
  function fairest(): number {
    const inFlight = new Map<string | undefined, number>();
    for (const { group, delayed } of hidden) if (!delayed) inFlight.set(group, (inFlight.get(group) ?? 0) + 1);
    const groups = new Map<string | undefined, number>();
    for (let at = head; at < ready.length; at++) if (!groups.has(ready[at]!.group)) groups.set(ready[at]!.group, at);
    const [[, at] = [undefined, head]] = [...groups].sort(
      ([a], [b]) => (inFlight.get(a) ?? 0) - (inFlight.get(b) ?? 0),
    );
    return at;
  }

  const queue: Queue = {
    async send(queue, content, { group, delayMs = 0 } = {}) {
      const message: QueuedMessage = {
        queue,
        receipt: `receipt-${++sentCount}`,
        body: messageText(content),
        group,
        sentAt: clock.now(),
        delayed: delayMs > 0,
        visibleAt: clock.now(),
      };
      messages.set(message.receipt, message);
      if (queue !== 'deliveries') return;
      if (delayMs > 0) hide(message, clock.now() + Math.min(delayMs, MAX_DELAY_MS));
      else ready.push(message);
    },
    async postpone(_, receipt, ms) {
      const message = messages.get(receipt);
      if (message) hide(message, clock.now() + ms);
    },
    async inFlight() {
      return [...hidden].filter(({ delayed }) => !delayed).length;
    },
  };

  return {
    queue,
    /** Receives and hides the next visible message. A fair queue selects from the group with the fewest in flight. */
    receive(visibilityMs: number, isFair = false): QueuedMessage | undefined {
      show();
      if (isFair) ready.splice(head, 0, ...ready.splice(fairest(), 1));
      const message = ready[head];
      if (!message) return undefined;
      head++;
      hide(message, clock.now() + visibilityMs);
      return message;
    },
    remove(message: QueuedMessage) {
      messages.delete(message.receipt);
      hidden.delete(message);
    },
    /** When the next hidden message becomes visible. */
    nextAt: (): number | undefined =>
      hidden.size ? Math.min(...[...hidden].map(({ visibleAt }) => visibleAt)) : undefined,
    /** The groups of the messages on a queue. */
    groups: (name: QueueName) => [...messages.values()].filter(({ queue }) => queue === name).map(({ group }) => group),
    /** The messages on a queue, visible and hidden. */
    on: (name: QueueName) =>
      [...messages.values()].filter(({ queue }) => queue === name).map(({ body }) => JSON.parse(body)),
  };
}
