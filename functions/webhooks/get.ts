import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { query } from '../../shared/http/validation.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { presentDelivery, presentWebhook } from '../../shared/webhooks/present.ts';
import { listDeliveriesAndTests } from '../../shared/webhooks/test-delivery.ts';
import { getWebhook } from '../../shared/webhooks/webhook-schema.ts';
import { findWebhook } from '../../shared/webhooks/webhook-store.ts';

/** Gets a webhook (api 8.1). `deliveries=true` adds its latest deliveries. */
export default (effects: Effects) =>
  createApp('webhooks/get', effects).get(
    toHonoPath('webhooks/get'),
    requireOwner(effects, endpoints['webhooks/get']),
    query(endpoints['webhooks/get'], getWebhook),
    async (c) => {
      const { deliveries } = c.req.valid('query');
      const webhook = await findWebhook(effects, c.var.owner, c.req.param('id'));
      if (!webhook) throw notFound('management', 'Webhook not found');
      const presented = presentWebhook(webhook);
      if (deliveries !== 'true') return c.json(presented);
      const all = await listDeliveriesAndTests(effects, webhook.id);
      return c.json({ ...presented, deliveries: all.map(presentDelivery) });
    },
  );
