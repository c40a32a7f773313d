import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';
import { redeliverFailed } from '../../shared/webhooks/deliveries.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';

/** Deliver the failed events of a webhook once more (api 8.2), some hundred a call. */
export default endpoint('webhooks/redeliver-failed', (effects) => {
  return {
    async act({ owner, params }) {
      const webhook = await findWebhook(effects, owner, params.id);
      if (!webhook) throw notFound('management', 'Webhook not found');
      return ok(await redeliverFailed(effects, webhook.id));
    },
  };
});
