/** The queues, for the cloud's stack and the local stand-in alike. */
export const queues = {
  /** Stream records that cannot be processed, whole, for a person to look at: their neighbours go on. */
  parked: { retentionDays: 14 },
} as const satisfies Record<string, { retentionDays: number }>;

export type QueueName = keyof typeof queues;
export const queueNames = Object.keys(queues) as QueueName[];
