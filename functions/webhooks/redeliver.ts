import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';
import { redeliver } from '../../shared/webhooks/deliveries.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';
import { presentDelivery } from '../../shared/webhooks/present.ts';

/** Deliver an event once more (api 8.2), with all its retries. */
export default endpoint('webhooks/redeliver', (effects) => {
  return {
    async act({ owner, params }) {
      const webhook = await findWebhook(effects, owner, params.id);
      if (!webhook) throw notFound('management', 'Webhook not found');
      const delivery = await redeliver(effects, webhook.id, params.deliveryId);
      if (!delivery) throw notFound('management', 'Delivery not found');
      return ok(presentDelivery(delivery));
    },
  };
});
