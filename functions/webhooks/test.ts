import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { jsonBody } from '../../shared/http/validation.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { createSampleEvent } from '../../shared/webhooks/events/samples.ts';
import { createSend } from '../../shared/webhooks/send.ts';
import { getSigningSecrets, signatureHeaders } from '../../shared/webhooks/signature.ts';
import { testWebhook } from '../../shared/webhooks/webhook-schema.ts';
import { findWebhook } from '../../shared/webhooks/webhook-store.ts';

/** Tests a webhook (api 8.2): sends one signed sample event, without retries. */
export default (effects: Effects) => {
  const send = createSend(effects);

  return createApp('webhooks/test', effects).post(
    toHonoPath('webhooks/test'),
    requireOwner(effects, endpoints['webhooks/test']),
    ...jsonBody(endpoints['webhooks/test'], testWebhook),
    async (c) => {
      const webhook = await findWebhook(effects, c.var.owner, c.req.param('id'));
      if (!webhook) throw notFound('management', 'Webhook not found');
      const { type } = c.req.valid('json');
      const now = effects.clock.now();
      const event = createSampleEvent(type ?? webhook.events[0]!, effects.ids.uuid(), now);
      const text = JSON.stringify(event);
      const headers = signatureHeaders(event.id, text, getSigningSecrets(webhook, now), now);
      const { success, statusCode, durationMs, error, answer = null } = await send(webhook.url, headers, text);
      return c.json({ success, statusCode, durationMs, eventId: event.id, error, answer });
    },
  );
};
