import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { listeningWebhook } from '../../shared/http/operations/outcomes.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { ignoreBody } from '../../shared/http/validation.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { presentDelivery } from '../../shared/webhooks/present.ts';
import { redeliver } from '../../shared/webhooks/redeliver.ts';
import { createSend } from '../../shared/webhooks/send.ts';
import { createTests } from '../../shared/webhooks/test-delivery.ts';

/** Redelivers an event (api 8.2), with a full set of retries; a test, with none. */
export default (effects: Effects) => {
  const tests = createTests(effects, createSend(effects));

  return createApp('webhooks/redeliver', effects).post(
    toHonoPath('webhooks/redeliver'),
    requireOwner(effects, endpoints['webhooks/redeliver']),
    ignoreBody(endpoints['webhooks/redeliver']),
    async (c) => {
      const webhook = await listeningWebhook(effects, c.var.owner, c.req.param('id'));
      const eventId = c.req.param('deliveryId');
      const delivery = (await redeliver(effects, webhook.id, eventId)) ?? (await tests.repeat(webhook, eventId));
      if (!delivery) throw notFound('management', 'Delivery not found');
      return c.json(presentDelivery(delivery));
    },
  );
};
