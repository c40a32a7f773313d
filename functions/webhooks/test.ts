import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { jsonBody } from '../../shared/http/validation.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { serializeEvent } from '../../shared/webhooks/events/envelope.ts';
import { createSend } from '../../shared/webhooks/send.ts';
import { createTests } from '../../shared/webhooks/test-delivery.ts';
import { testWebhook } from '../../shared/webhooks/webhook-schema.ts';
import { findWebhook } from '../../shared/webhooks/webhook-store.ts';

/** Tests a webhook (api 8.2): sends one signed sample event, without retries, and records it among the deliveries. */
export default (effects: Effects) => {
  const tests = createTests(effects, createSend(effects));

  return createApp('webhooks/test', effects).post(
    toHonoPath('webhooks/test'),
    requireOwner(effects, endpoints['webhooks/test']),
    ...jsonBody(endpoints['webhooks/test'], testWebhook),
    async (c) => {
      const webhook = await findWebhook(effects, c.var.owner, c.req.param('id'));
      if (!webhook) throw notFound('management', 'Webhook not found');
      const { type } = c.req.valid('json');
      const { delivery, result } = await tests.sendSample(webhook, type ?? webhook.events[0]!);
      const { success, statusCode, durationMs, error, answer = null } = result;
      const payload = JSON.parse(serializeEvent(delivery.event));
      return c.json({ success, statusCode, durationMs, eventId: delivery.eventId, error, answer, payload });
    },
  );
};
