import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';
import { listDeliveries } from '../../shared/webhooks/deliveries.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';
import { presentDelivery } from '../../shared/webhooks/present.ts';

const MOST = 100;

/** The last deliveries of a webhook and what came of them (api 8.2), newest first. */
export default endpoint('webhooks/deliveries', (effects) => {
  return {
    async act({ owner, params }) {
      const webhook = await findWebhook(effects, owner, params.id);
      if (!webhook) throw notFound('management', 'Webhook not found');
      return ok((await listDeliveries(effects, webhook.id, MOST)).map(presentDelivery));
    },
  };
});
