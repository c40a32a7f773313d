import { getKeys } from './values/typed.ts';

/** What every message says of itself on a queue that a function receives from. */
export interface Queued {
  /** Whose it is: the messages of one owner do not keep those of others waiting. */
  owner: string;
  /** When the message was first sent, epoch ms; unchanged when it is sent again. */
  sentAt: number;
}

/** What is to become of a message: it is through, or it comes back after so many milliseconds. */
export type Handled = { outcome: 'done' } | { outcome: 'later'; ms: number };

export interface QueueShape {
  retentionDays: number;
  /** How long a message that was received stays hidden from others. */
  visibilitySeconds?: number;
  /** Where a message goes that was received so often that the function can only have crashed on it every time. */
  deadLetters?: { queue: string; receives: number };
}

/** The queues, for the cloud's stack and the local stand-in alike; a queue's dead letters come before it. */
export const queues = {
  /** Stream records that cannot be processed, whole, for a person to look at: their neighbours go on. */
  parked: { retentionDays: 14 },
  /** Deliveries that were given up. */
  dead: { retentionDays: 14 },
  /**
   * One message for each event and receiver. Failures are counted in the delivery's record: receives also count throttling,
   * so their limit is far away.
   */
  deliveries: { retentionDays: 14, visibilitySeconds: 90, deadLetters: { queue: 'dead', receives: 1_000 } },
} as const satisfies Record<string, QueueShape>;

export type QueueName = keyof typeof queues;
export const queueNames = getKeys(queues);
export const queueShape = (name: QueueName): QueueShape => queues[name];
