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
import type { Send, SendResult } from './send.ts';
import { getSigningSecrets, signatureHeaders } from './signature.ts';
import { createSlots } from './slots.ts';
import type { Webhook } from './webhook.ts';
import { createHealthRecorder } from './webhook-health.ts';
import { createWebhookReader } from './webhook-store.ts';

/** Added to the receiver's time limit for our own writes. */
const LEASE_SLACK_MS = 5_000;
/** SQS silently drops messages after fourteen days. Older deliveries fail here instead, where the failure is recorded. */
const MAX_AGE_DAYS = 13;
/** Log every receive of a message older than this. With the default schedule, retries take less than seven minutes. */
const OLD_MS = 60 * 60 * 1000;
/** Bounds of the wait for a slot, before jitter. At the upper bound, a message is received about 600 times in thirteen days. */
const SLOT_WAIT_MS = { min: 1_000, max: 30 * 60 * 1000 };

/** Everything that a delivery needs, including what one instance shares between deliveries. */
interface Delivering {
  effects: Effects & { queue: Queue };
  send: Send;
  readWebhook: ReturnType<typeof createWebhookReader>;
  readDelivery: ReturnType<typeof createDeliveryReader>;
  recordHealth: ReturnType<typeof createHealthRecorder>;
}

/**
 * Handles a delivery message: takes one of the owner's slots, posts the event, and records the result. After the n-th failure, the next
 * attempt is due after the n-th backoff delay. After the last delay, the delivery and the webhook are `failed`, and the message moves to
 * the dead-letter queue. The delivery's record is written last: after a crash before that write, the message returns and the attempt is
 * repeated, so no step is skipped.
 */
export function createDeliver(effects: Effects & { queue: Queue }, send: Send) {
  const { clock, config, ids } = effects;
  const slots = createSlots(effects);
  const leaseMs = config.webhookTimeoutMs + LEASE_SLACK_MS;
  const delivering: Delivering = {
    effects,
    send,
    readWebhook: createWebhookReader(effects),
    readDelivery: createDeliveryReader(effects),
    recordHealth: createHealthRecorder(effects),
  };

  return async function deliver(message: DeliveryMessage): Promise<Handled> {
    const ageMs = clock.now() - message.sentAt;
    if (ageMs > OLD_MS) reportAge(effects, message, ageMs);
    if (ageMs > MAX_AGE_DAYS * DAY_MS) return actIfDue(delivering, message, expire);
    const { owner, webhookId, event } = message;
    const slot = await slots.take(owner, leaseMs, `${webhookId} ${event.id}`);
    if (!slot) return { outcome: 'later', ms: getSlotWait(ageMs, ids.random()) };
    try {
      return await actIfDue(delivering, message, attempt);
    } finally {
      await slots.free(slot);
    }
  };
}

type DeliveryAction = (delivering: Delivering, webhook: Webhook, delivery: Delivery) => Promise<Handled>;

/** Runs `act` if the webhook is enabled and the delivery is due now. */
async function actIfDue(delivering: Delivering, message: DeliveryMessage, act: DeliveryAction): Promise<Handled> {
  const { effects, readWebhook, readDelivery } = delivering;
  const { owner, webhookId, event } = message;
  const webhook = await readWebhook(owner, webhookId);
  if (!webhook || webhook.status === 'disabled') {
    await abandonDelivery(effects, webhookId, event.id);
    return { outcome: 'done' };
  }
  const due = await findDueDelivery(effects, message, readDelivery);
  if (due.outcome === 'over') return { outcome: 'done' };
  return due.outcome === 'later' ? due : act(delivering, webhook, due.delivery);
}

/** Posts the event once and records the result. */
async function attempt(delivering: Delivering, webhook: Webhook, delivery: Delivery): Promise<Handled> {
  const { effects, send } = delivering;
  const { clock, config, log } = effects;
  const { webhookId, eventId, event, attempts, failures } = delivery;
  const at = clock.now();
  const body = serializeEvent(event);
  const headers = signatureHeaders(eventId, body, getSigningSecrets(webhook, at), at);
  const { answer, ...result } = await send(webhook.url, headers, body);
  log.info('delivery', { webhookId, eventId, type: event.type, ...result });

  const after = {
    ...delivery,
    attempts: [...attempts, { at, ...result, ...(!result.success && answer && { answer }) }],
    failures: failures + (result.success ? 0 : 1),
  };
  if (result.success) return recordResult(delivering, webhook, after, 'delivered', result);
  const delayMs = config.webhookBackoffMs[failures];
  const status = delayMs === undefined ? 'failed' : 'pending';
  return recordResult(delivering, webhook, after, status, result, delayMs);
}

/** Fails a delivery that has become too old. */
const expire: DeliveryAction = (delivering, webhook, delivery) =>
  recordResult(delivering, webhook, delivery, 'failed', {
    statusCode: null,
    error: `Not delivered within ${MAX_AGE_DAYS} days`,
  });

/** Delay before rechecking a delivery that a concurrent attempt has recorded. */
const LOOK_AGAIN_MS = 1_000;

const METRICS = { delivered: 'Delivered', pending: 'Retried', failed: 'GivenUp' } as const;

/** Records the webhook's health and the delivery. @param delayMs until the next attempt; unused unless `status` is `pending` */
async function recordResult(
  { effects, recordHealth }: Delivering,
  webhook: Webhook,
  delivery: Delivery,
  status: Delivery['status'],
  { statusCode, error }: Pick<SendResult, 'statusCode' | 'error'>,
  delayMs = 0,
): Promise<Handled> {
  const { owner, webhookId, event } = delivery;
  const now = effects.clock.now();
  await recordHealth(webhook, { status, statusCode, error });
  if (status === 'failed') await effects.queue.send('dead', { owner, webhookId, event });
  const isRecorded = await recordDelivery(effects, delivery, status, now + delayMs);
  if (!isRecorded) return { outcome: 'later', ms: LOOK_AGAIN_MS };
  effects.metrics.add(METRICS[status]);
  return status === 'pending' ? { outcome: 'later', ms: delayMs } : { outcome: 'done' };
}

function reportAge(
  { log, metrics }: Pick<Effects, 'log' | 'metrics'>,
  { webhookId, event }: DeliveryMessage,
  ageMs: number,
): void {
  const seconds = Math.round(ageMs / 1000);
  metrics.add('DeliveryAge', seconds);
  log.info('old delivery', { webhookId, eventId: event.id, seconds });
}

/**
 * Time until a delivery asks for a slot again: on average, half of its age. Short bursts clear quickly, and a delivery that waits for
 * days asks only a few hundred times.
 */
function getSlotWait(ageMs: number, random: number): number {
  const { min, max } = SLOT_WAIT_MS;
  return Math.min(max, Math.max(min, ageMs / 2)) * (0.5 + random);
}
