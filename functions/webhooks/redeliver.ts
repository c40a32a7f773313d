import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { listeningWebhook } from '../../shared/http/receiver.ts';
import { ok } from '../../shared/http/response.ts';
import { redeliver } from '../../shared/webhooks/deliveries.ts';
import { presentDelivery } from '../../shared/webhooks/present.ts';

/** Deliver an event once more (api 8.2), with all its retries. */
export default endpoint('webhooks/redeliver', (effects) => {
  return {
    async act({ owner, params }) {
      const webhook = await listeningWebhook(effects, owner, params.id);
      const delivery = await redeliver(effects, webhook.id, params.deliveryId);
      if (!delivery) throw notFound('management', 'Delivery not found');
      return ok(presentDelivery(delivery));
    },
  };
});
