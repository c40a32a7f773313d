import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { presentWebhook } from '../../shared/webhooks/present.ts';
import { findWebhook } from '../../shared/webhooks/webhook-store.ts';

/** Gets a webhook (api 8.1). */
export default (effects: Effects) =>
  createApp('webhooks/get', effects).get(
    toHonoPath('webhooks/get'),
    requireOwner(effects, endpoints['webhooks/get']),
    async (c) => {
      const webhook = await findWebhook(effects, c.var.owner, c.req.param('id'));
      if (!webhook) throw notFound('management', 'Webhook not found');
      return c.json(presentWebhook(webhook));
    },
  );
