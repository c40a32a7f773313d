import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';
import { findDelivery } from '../../shared/webhooks/deliveries.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';
import { presentWholeDelivery } from '../../shared/webhooks/present.ts';

/** One delivery of a webhook (api 8.2): what was posted, and what the receiver answered where it failed. */
export default endpoint('webhooks/delivery', (effects) => {
  return {
    async act({ owner, params }) {
      const webhook = await findWebhook(effects, owner, params.id);
      if (!webhook) throw notFound('management', 'Webhook not found');
      const delivery = await findDelivery(effects, webhook.id, params.deliveryId);
      if (!delivery) throw notFound('management', 'Delivery not found');
      return ok(presentWholeDelivery(delivery));
    },
  };
});
