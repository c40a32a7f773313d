import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';
import { presentWebhook } from '../../shared/webhooks/present.ts';
import { webhookStore } from '../../shared/webhooks/store.ts';

/** Get a webhook (api 8.1). */
export default endpoint('webhooks/get', (effects) => {
  const webhooks = webhookStore(effects);

  return {
    async act({ owner, params }) {
      const webhook = await webhooks.find(owner, params.id!);
      if (!webhook) throw notFound('management', 'Webhook not found');
      return ok(presentWebhook(webhook));
    },
  };
});
