import { sampleEvent } from '../../shared/events/samples.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';
import { testWebhook } from '../../shared/webhooks/schema.ts';
import { createSend } from '../../shared/webhooks/send.ts';
import { signatureHeaders, signingSecrets } from '../../shared/webhooks/signature.ts';

/** Test a webhook (api 8.2): one signed request with a sample event, no retries. */
export default endpoint('webhooks/test', (effects) => {
  const { clock, ids } = effects;
  const send = createSend(effects);

  return {
    body: testWebhook,

    async act({ owner, params, body: { type } }) {
      const webhook = await findWebhook(effects, owner, params.id);
      if (!webhook) throw notFound('management', 'Webhook not found');
      const now = clock.now();
      const event = sampleEvent(type ?? webhook.events[0]!, ids.uuid(), now);
      const text = JSON.stringify(event);
      const headers = signatureHeaders(event.id, text, signingSecrets(webhook, now), now);
      const { success, statusCode, durationMs, error, answer = null } = await send(webhook.url, headers, text);
      return ok({ success, statusCode, durationMs, eventId: event.id, error, answer });
    },
  };
});
