import type { Effects } from '../effects.ts';
import { type Delivery, type DeliveryMessage, deliveryStore } from './deliveries.ts';
import type { Send } from './send.ts';
import { signatureHeaders, signingSecrets } from './signature.ts';
import { type Webhook, webhookStore } from './store.ts';

/** What is to become of the message: it is through, it comes back later, or it was given up. */
export type Delivered = { outcome: 'through' } | { outcome: 'later'; ms: number } | { outcome: 'given_up' };

/** Beyond the receiver's time limit, for our own writes. */
const LEASE_SLACK_MS = 5_000;

/**
 * One attempt at a delivery: claim it, post it, write down what came of it (contract, section 6.5). After the n-th failure the
 * next attempt is due the n-th delay later; when the delays are used up the delivery and the webhook are failed.
 */
export function createDeliver(effects: Pick<Effects, 'db' | 'clock' | 'ids' | 'config' | 'log'>, send: Send) {
  const { clock, config, log } = effects;
  const webhooks = webhookStore(effects);
  const deliveries = deliveryStore(effects);

  async function attempt(webhook: Webhook, delivery: Delivery): Promise<Delivered> {
    const at = clock.now();
    const body = JSON.stringify(delivery.event);
    const headers = signatureHeaders(delivery.eventId, body, signingSecrets(webhook, at), at);
    const sent = await send(webhook.url, headers, body);
    log.info('delivery', { webhookId: webhook.id, eventId: delivery.eventId, type: delivery.event.type, ...sent });
    const now = clock.now();
    const delayMs = config.webhookBackoffMs[delivery.failures];
    const status = sent.success ? 'delivered' : delayMs === undefined ? 'failed' : 'pending';
    await deliveries.record(delivery, { at, ...sent }, status, now + (delayMs ?? 0));
    await webhooks.noteHealth(webhook, sent.error, status === 'failed');
    if (status === 'pending') return { outcome: 'later', ms: delayMs! };
    return { outcome: status === 'delivered' ? 'through' : 'given_up' };
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
