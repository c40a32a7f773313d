import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { removeWebhook } from '../../shared/webhooks/webhook-store.ts';

/** Deletes a webhook (api 8.1). */
export default (effects: Effects) =>
  createApp('webhooks/delete', effects).delete(
    toHonoPath('webhooks/delete'),
    requireOwner(effects, endpoints['webhooks/delete']),
    async (c) => {
      const isRemoved = await removeWebhook(effects, c.var.owner, c.req.param('id'));
      if (!isRemoved) throw notFound('management', 'Webhook not found');
      return c.json({ message: 'Webhook deleted successfully' });
    },
  );
