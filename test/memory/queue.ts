import type { Clock } from '../../shared/clock.ts';
import { messageText, type Queue } from '../../shared/queue.ts';
import type { QueueName } from '../../shared/queues.ts';

export interface Message {
  queue: QueueName;
  receipt: string;
  body: string;
  visibleAt: number;
}

/** The Queue interface in memory, on a clock that tests move; messages come in the order in which they become visible. */
export function memoryQueue(clock: Pick<Clock, 'now'>) {
  const held = new Map<string, Message>();
  const ready: Message[] = [];
  const hidden = new Set<Message>();
  let made = 0;
  let head = 0;

  const hide = (message: Message, until: number) => {
    message.visibleAt = until;
    hidden.add(message);
  };
  const show = () => {
    const due = [...hidden].filter(({ visibleAt }) => visibleAt <= clock.now());
    for (const message of due.sort((a, b) => a.visibleAt - b.visibleAt)) {
      hidden.delete(message);
      ready.push(message);
    }
  };

  const queue: Queue = {
    async send(queue, message) {
      const made1 = { queue, receipt: `receipt-${++made}`, body: messageText(message), visibleAt: clock.now() };
      held.set(made1.receipt, made1);
      if (queue === 'deliveries') ready.push(made1);
    },
    async postpone(_, receipt, ms) {
      const message = held.get(receipt);
      if (message) hide(message, clock.now() + ms);
    },
  };

  return {
    queue,
    /** Takes the next delivery that is visible and hides it. */
    receive(visibilityMs: number): Message | undefined {
      show();
      const message = ready[head];
      if (!message) return undefined;
      head++;
      hide(message, clock.now() + visibilityMs);
      return message;
    },
    remove(message: Message) {
      held.delete(message.receipt);
      hidden.delete(message);
    },
    /** When the next hidden delivery becomes visible. */
    nextAt: (): number | undefined =>
      hidden.size ? Math.min(...[...hidden].map(({ visibleAt }) => visibleAt)) : undefined,
    /** What is on a queue, hidden or not. */
    on: (name: QueueName) =>
      [...held.values()].filter(({ queue }) => queue === name).map(({ body }) => JSON.parse(body)),
  };
}
