import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { presentDelivery } from '../../shared/webhooks/present.ts';
import { listDeliveriesAndTests } from '../../shared/webhooks/test-delivery.ts';
import { findWebhook } from '../../shared/webhooks/webhook-store.ts';

/** Lists the latest deliveries of a webhook, and its latest tests among them, with their attempts (api 8.2), newest event first. */
export default (effects: Effects) =>
  createApp('webhooks/deliveries', effects).get(
    toHonoPath('webhooks/deliveries'),
    requireOwner(effects, endpoints['webhooks/deliveries']),
    async (c) => {
      const webhook = await findWebhook(effects, c.var.owner, c.req.param('id'));
      if (!webhook) throw notFound('management', 'Webhook not found');
      return c.json((await listDeliveriesAndTests(effects, webhook.id)).map(presentDelivery));
    },
  );
