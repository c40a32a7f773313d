import type { Effects } from '../effects.ts';
import type { Queue } from '../queue.ts';
import { type Delivery, type DeliveryMessage, deliveryStore } from './deliveries.ts';
import type { Send } from './send.ts';
import { signatureHeaders, signingSecrets } from './signature.ts';
import { type Webhook, webhookStore } from './store.ts';

/** What is to become of the message: it is through, or it comes back later. */
export type Delivered = { outcome: 'through' } | { outcome: 'later'; ms: number };

/** Beyond the receiver's time limit, for our own writes. */
const LEASE_SLACK_MS = 5_000;
/** When to look again at a delivery that somebody else took meanwhile. */
const LOOK_AGAIN_MS = 1_000;

const COUNTED_AS = { delivered: 'Delivered', pending: 'Retried', failed: 'GivenUp' } as const;

/**
 * One attempt at a delivery: claim it, post it, write down what came of it (contract, section 6.5). After the n-th failure the
 * next attempt is due the n-th delay later; when the delays are used up the delivery and the webhook are failed, and the message
 * goes to the dead letters. The delivery's own record is written last: what crashes before that comes back and is attempted
 * again, so nothing that belongs to the end of a delivery is left undone.
 */
export function createDeliver(effects: Effects & { queue: Queue }, send: Send) {
  const { clock, config, log, metrics, queue } = effects;
  const webhooks = webhookStore(effects);
  const deliveries = deliveryStore(effects);

  async function attempt(webhook: Webhook, delivery: Delivery): Promise<Delivered> {
    const { owner, webhookId, eventId, event } = delivery;
    const at = clock.now();
    const body = JSON.stringify(event);
    const headers = signatureHeaders(eventId, body, signingSecrets(webhook, at), at);
    const sent = await send(webhook.url, headers, body);
    log.info('delivery', { webhookId, eventId, type: event.type, ...sent });

    const now = clock.now();
    const delayMs = config.webhookBackoffMs[delivery.failures];
    const status = sent.success ? 'delivered' : delayMs === undefined ? 'failed' : 'pending';
    await webhooks.noteHealth(webhook, sent.error, status === 'failed');
    if (status === 'failed') await queue.send('dead', { owner, webhookId, event });
    const isOurs = await deliveries.record(delivery, { at, ...sent }, status, now + (delayMs ?? 0));
    if (!isOurs) return { outcome: 'later', ms: LOOK_AGAIN_MS };
    metrics.add(COUNTED_AS[status]);
    return status === 'pending' ? { outcome: 'later', ms: delayMs! } : { outcome: 'through' };
  }

  return async function deliver(message: DeliveryMessage): Promise<Delivered> {
    const webhook = await webhooks.find(message.owner, message.webhookId);
    if (!webhook || webhook.status === 'disabled') {
      await deliveries.abandon(message.webhookId, message.event.id); // nobody listens any more
      return { outcome: 'through' };
    }
    const claim = await deliveries.claim(message, config.webhookTimeoutMs + LEASE_SLACK_MS);
    if (claim.outcome === 'over') return { outcome: 'through' };
    if (claim.outcome === 'later') return { outcome: 'later', ms: claim.ms };
    return attempt(webhook, claim.delivery);
  };
}
