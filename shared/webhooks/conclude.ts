import type { Effects } from '../platform/effects.ts';
import type { Queue } from '../platform/queue.ts';
import type { Handled } from '../platform/queues.ts';
import { recordDelivery } from './claim.ts';
import type { Delivery } from './deliveries.ts';
import { createNoteHealth } from './health.ts';
import type { Webhook } from './webhook.ts';

/** When to look again at a delivery that somebody else took meanwhile. */
const LOOK_AGAIN_MS = 1_000;

const COUNTED_AS = { delivered: 'Delivered', pending: 'Retried', failed: 'GivenUp' } as const;

/** Writes down what deliveries have come to. */
export function createConclude(effects: Pick<Effects, 'db' | 'clock' | 'metrics'> & { queue: Queue }) {
  const noteHealth = createNoteHealth(effects);

  /** @param delayMs until the next attempt; undefined when there is none */
  return async function conclude(
    webhook: Webhook,
    delivery: Delivery,
    status: Delivery['status'],
    error: string | null,
    delayMs = 0,
  ): Promise<Handled> {
    const { owner, webhookId, event } = delivery;
    const now = effects.clock.now();
    await noteHealth(webhook, error, status === 'failed');
    if (status === 'failed') await effects.queue.send('dead', { owner, webhookId, event });
    const isOurs = await recordDelivery(effects, delivery, status, now + delayMs);
    if (!isOurs) return { outcome: 'later', ms: LOOK_AGAIN_MS };
    effects.metrics.add(COUNTED_AS[status]);
    return status === 'pending' ? { outcome: 'later', ms: delayMs } : { outcome: 'done' };
  };
}
