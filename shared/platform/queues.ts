import { getKeys } from './values/typed.ts';

/** Fields of every message on a queue that invokes a function. */
export interface Queued {
  /** The owner. Messages of one owner do not delay those of others. */
  owner: string;
  /** When the message was first sent, epoch ms; unchanged when it is sent again. */
  sentAt: number;
}

/** Result of handling a message: done, or redeliver it after `ms` milliseconds. */
export type Handled = { outcome: 'done' } | { outcome: 'later'; ms: number };

export interface QueueShape {
  retentionDays: number;
  /** How long a received message stays hidden from other receivers. */
  visibilitySeconds?: number;
  /** The queue for messages received so often that the function must have crashed each time. */
  deadLetters?: { queue: string; receives: number };
}

/** The queues of the cloud stack and of the local stand-in. A dead-letter queue precedes the queue that uses it. */
export const queues = {
  /** Parked records, which an operator must inspect. */
  parked: { retentionDays: 14 },
  /** Deliveries that have failed for good. */
  dead: { retentionDays: 14 },
  /**
   * One message per event and webhook. The item of the delivery counts failures. Receives include throttled ones, so their limit is high.
   */
  deliveries: { retentionDays: 14, visibilitySeconds: 90, deadLetters: { queue: 'dead', receives: 1_000 } },
} as const satisfies Record<string, QueueShape>;

export type QueueName = keyof typeof queues;
export const queueNames = getKeys(queues);
export const queueShape = (name: QueueName): QueueShape => queues[name];
