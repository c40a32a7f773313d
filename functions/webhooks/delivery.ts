import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { findDelivery } from '../../shared/webhooks/deliveries.ts';
import { presentWholeDelivery } from '../../shared/webhooks/present.ts';
import { findTest } from '../../shared/webhooks/test-delivery.ts';
import { findWebhook } from '../../shared/webhooks/webhook-store.ts';

/** Gets one delivery of a webhook (api 8.2), with the posted body and the receiver's response to a failed attempt. */
export default (effects: Effects) =>
  createApp('webhooks/delivery', effects).get(
    toHonoPath('webhooks/delivery'),
    requireOwner(effects, endpoints['webhooks/delivery']),
    async (c) => {
      const webhook = await findWebhook(effects, c.var.owner, c.req.param('id'));
      if (!webhook) throw notFound('management', 'Webhook not found');
      const eventId = c.req.param('deliveryId');
      const delivery =
        (await findDelivery(effects, webhook.id, eventId)) ?? (await findTest(effects, webhook.id, eventId));
      if (!delivery) throw notFound('management', 'Delivery not found');
      return c.json(presentWholeDelivery(delivery));
    },
  );
