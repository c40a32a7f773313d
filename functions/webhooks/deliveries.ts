import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { listDeliveries } from '../../shared/webhooks/deliveries.ts';
import { presentDelivery } from '../../shared/webhooks/present.ts';
import { listTests } from '../../shared/webhooks/test-delivery.ts';
import { findWebhook } from '../../shared/webhooks/webhook-store.ts';

const MAX_DELIVERIES = 100;
const MAX_TESTS = 20;

/** Lists the latest deliveries of a webhook, and its latest tests among them, with their attempts (api 8.2), newest event first. */
export default (effects: Effects) =>
  createApp('webhooks/deliveries', effects).get(
    toHonoPath('webhooks/deliveries'),
    requireOwner(effects, endpoints['webhooks/deliveries']),
    async (c) => {
      const webhook = await findWebhook(effects, c.var.owner, c.req.param('id'));
      if (!webhook) throw notFound('management', 'Webhook not found');
      const [deliveries, tests] = await Promise.all([
        listDeliveries(effects, webhook.id, MAX_DELIVERIES),
        listTests(effects, webhook.id, MAX_TESTS),
      ]);
      const all = [...deliveries, ...tests].sort((a, b) => (a.eventId < b.eventId ? 1 : -1));
      return c.json(all.map(presentDelivery));
    },
  );
