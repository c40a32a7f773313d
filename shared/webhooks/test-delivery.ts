import type { Effects } from '../platform/effects.ts';
import {
  type Delivery,
  type DeliveryAttempt,
  deliveryTtl,
  findDelivery,
  listDeliveries,
  newDelivery,
  recordDelivery,
} from './deliveries.ts';
import { type Envelope, serializeEvent } from './events/envelope.ts';
import { createSampleEvent } from './events/samples.ts';
import type { EventType } from './events/types.ts';
import type { Send } from './send.ts';
import { getSigningSecrets, signatureHeaders } from './signature.ts';
import type { Webhook } from './webhook.ts';

/**
 * Tests are stored next to the deliveries of the webhook, not among them: they must not push failed deliveries out of the list, and
 * `redeliverFailed` must not find them.
 */
const testsOf = (webhookId: string): string => `${webhookId}#tests`;

const MAX_DELIVERIES = 100;
const MAX_TESTS = 20;
/** Attempts to record a test while concurrent resends are recorded. */
const MAX_TRIES = 10;

/** The latest deliveries of a webhook, with its latest tests among them, newest event first. */
export async function listDeliveriesAndTests(effects: Pick<Effects, 'db'>, webhookId: string): Promise<Delivery[]> {
  const [deliveries, tests] = await Promise.all([
    listDeliveries(effects, webhookId, MAX_DELIVERIES),
    listDeliveries(effects, testsOf(webhookId), MAX_TESTS),
  ]);
  return [...deliveries, ...tests].sort((a, b) => (a.eventId < b.eventId ? 1 : -1));
}

export const findTest = (
  effects: Pick<Effects, 'db'>,
  webhookId: string,
  eventId: string,
): Promise<Delivery | undefined> => findDelivery(effects, testsOf(webhookId), eventId);

/** Sends tests: one signed request, without retries and without a change of the webhook's health. Each one is recorded. */
export function createTests(effects: Pick<Effects, 'db' | 'clock' | 'ids'>, send: Send) {
  const { clock, ids } = effects;

  async function attempt(webhook: Webhook, delivery: Delivery) {
    const at = clock.now();
    const body = serializeEvent(delivery.event);
    const headers = signatureHeaders(delivery.eventId, body, getSigningSecrets(webhook, at), at);
    const result = await send(webhook.url, headers, body);
    return { delivery: await record(delivery, { at, ...result }), result };
  }

  /** Adds an attempt to a test. Concurrent resends are all sent, so each one's attempt is added to those that were recorded meanwhile. */
  async function record(test: Delivery, attempt: DeliveryAttempt): Promise<Delivery> {
    const { at, success } = attempt;
    const status = success ? ('delivered' as const) : ('failed' as const);
    for (let before = test, tries = 0; ; tries++) {
      const attempts = [...before.attempts, attempt].sort((a, b) => a.at - b.at);
      const after = { ...before, status, attempts, ttl: deliveryTtl(at) };
      if (tries === MAX_TRIES || (await recordDelivery(effects, after, status, at))) return after;
      before = (await findDelivery(effects, test.webhookId, test.eventId)) ?? test;
    }
  }

  return {
    /** Sends a sample event of a type. */
    sendSample(webhook: Webhook, type: EventType) {
      const now = clock.now();
      const event: Envelope = createSampleEvent(type, ids.uuid(), now);
      const delivery = newDelivery(webhook.owner, testsOf(webhook.id), event, now);
      return attempt(webhook, { ...delivery, isTest: true });
    },

    /** Sends a test again, as a test. Returns undefined if there is no such test. */
    async repeat(webhook: Webhook, eventId: string): Promise<Delivery | undefined> {
      const test = await findTest(effects, webhook.id, eventId);
      return test && (await attempt(webhook, test)).delivery;
    },
  };
}
