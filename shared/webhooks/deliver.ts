import { DAY_MS } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import type { Queue } from '../platform/queue.ts';
import type { Handled } from '../platform/queues.ts';
import {
  abandonDelivery,
  createDeliveryReader,
  type Delivery,
  type DeliveryMessage,
  findDueDelivery,
  recordDelivery,
} from './deliveries.ts';
import { serializeEvent } from './events/envelope.ts';
import type { Send } from './send.ts';
import { getSigningSecrets, signatureHeaders } from './signature.ts';
import { createSlots } from './slots.ts';
import type { Webhook } from './webhook.ts';
import { createHealthRecorder } from './webhook-health.ts';
import { createWebhookReader } from './webhook-store.ts';

/** Beyond the receiver's time limit, for our own writes. */
const LEASE_SLACK_MS = 5_000;
/** A queue drops messages of fourteen days without a word: what is older than this ends here, where it is told. */
const MAX_AGE_DAYS = 13;
/** From this age on each receive of a message is told; retries alone take under seven minutes. */
const OLD_MS = 60 * 60 * 1000;
/** The shortest and, but for the jitter, the longest wait for a slot: the longest makes some 600 receives of thirteen days. */
const SLOT_WAIT_MS = { least: 1_000, most: 30 * 60 * 1000 };

/**
 * One attempt at a delivery: take one of its owner's slots, post it, write down what came of it.
 * After the n-th failure the next attempt is due the n-th delay later; when the delays are used up the delivery and the webhook
 * are failed, and the message goes to the dead letters. The delivery's own record is written last: what crashes before that comes
 * back and is attempted again, so nothing that belongs to the end of a delivery is left undone.
 */
export function createDeliver(effects: Effects & { queue: Queue }, send: Send) {
  const { clock, config, ids, log, metrics } = effects;
  const slots = createSlots(effects);
  const leaseMs = config.webhookTimeoutMs + LEASE_SLACK_MS;
  const readWebhook = createWebhookReader(effects);
  const readDelivery = createDeliveryReader(effects);
  const conclude = createConclusion(effects);

  async function attempt(webhook: Webhook, delivery: Delivery): Promise<Handled> {
    const { webhookId, eventId, event, attempts, failures } = delivery;
    const at = clock.now();
    const body = serializeEvent(event);
    const headers = signatureHeaders(eventId, body, getSigningSecrets(webhook, at), at);
    const { answer, ...sent } = await send(webhook.url, headers, body);
    log.info('delivery', { webhookId, eventId, type: event.type, ...sent });

    const tried = {
      ...delivery,
      attempts: [...attempts, { at, ...sent, ...(!sent.success && answer && { answer }) }],
      failures: failures + (sent.success ? 0 : 1),
    };
    if (sent.success) return conclude(webhook, tried, 'delivered', null);
    const delayMs = config.webhookBackoffMs[failures];
    return conclude(webhook, tried, delayMs === undefined ? 'failed' : 'pending', sent.error, delayMs);
  }

  const giveUp = (webhook: Webhook, delivery: Delivery): Promise<Handled> =>
    conclude(webhook, delivery, 'failed', `Not delivered within ${MAX_AGE_DAYS} days`);

  /** Acts on a delivery that somebody still waits for. */
  async function whenDue(
    message: DeliveryMessage,
    act: (webhook: Webhook, delivery: Delivery) => Promise<Handled>,
  ): Promise<Handled> {
    const { owner, webhookId, event } = message;
    const webhook = await readWebhook(owner, webhookId);
    if (!webhook || webhook.status === 'disabled') {
      await abandonDelivery(effects, webhookId, event.id); // nobody listens any more
      return { outcome: 'done' };
    }
    const due = await findDueDelivery(effects, message, readDelivery);
    if (due.outcome === 'over') return { outcome: 'done' };
    return due.outcome === 'later' ? due : act(webhook, due.delivery);
  }

  function noteAge({ webhookId, event }: DeliveryMessage, ageMs: number): void {
    const seconds = Math.round(ageMs / 1000);
    metrics.add('DeliveryAge', seconds);
    log.info('old delivery', { webhookId, eventId: event.id, seconds });
  }

  return async function deliver(message: DeliveryMessage): Promise<Handled> {
    const ageMs = clock.now() - message.sentAt;
    if (ageMs > OLD_MS) noteAge(message, ageMs);
    if (ageMs > MAX_AGE_DAYS * DAY_MS) return whenDue(message, giveUp);
    const { owner, webhookId, event } = message;
    const slot = await slots.take(owner, leaseMs, `${webhookId} ${event.id}`);
    if (!slot) return { outcome: 'later', ms: slotWaitMs(ageMs, ids.random()) };
    try {
      return await whenDue(message, attempt);
    } finally {
      await slots.free(slot);
    }
  };
}

/**
 * While its owner's slots are taken a delivery waits, on average, half as long as it has waited so far: a burst is soon through,
 * and what waits for days asks some hundred times.
 */
function slotWaitMs(ageMs: number, random: number): number {
  const { least, most } = SLOT_WAIT_MS;
  return Math.min(most, Math.max(least, ageMs / 2)) * (0.5 + random);
}

/** When to look again at a delivery that somebody else took meanwhile. */
const LOOK_AGAIN_MS = 1_000;

const COUNTED_AS = { delivered: 'Delivered', pending: 'Retried', failed: 'GivenUp' } as const;

/** Writes down what deliveries have come to. */
function createConclusion(effects: Pick<Effects, 'db' | 'clock' | 'metrics'> & { queue: Queue }) {
  const noteHealth = createHealthRecorder(effects);

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
