import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { checkReceiver } from '../../shared/http/operations/outcomes.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { jsonBody } from '../../shared/http/validation.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { presentWebhook } from '../../shared/webhooks/present.ts';
import { updateWebhook } from '../../shared/webhooks/webhook-schema.ts';
import { changeWebhook } from '../../shared/webhooks/webhook-store.ts';

/** Updates a webhook from a partial body (api 8.1). Status `active` reactivates it. */
export default (effects: Effects) =>
  createApp('webhooks/update', effects).patch(
    toHonoPath('webhooks/update'),
    requireOwner(effects, endpoints['webhooks/update']),
    ...jsonBody(endpoints['webhooks/update'], updateWebhook),
    async (c) => {
      const { url, events, description, status } = c.req.valid('json');
      if (url !== undefined) await checkReceiver(url, effects);
      const webhook = await changeWebhook(effects, c.var.owner, c.req.param('id'), {
        ...(url !== undefined && { url }),
        ...(events && { events }),
        ...(description !== undefined && { description: description ?? '' }),
        ...(status && status !== 'failed' && { status }),
      });
      if (!webhook) throw notFound('management', 'Webhook not found');
      return c.json(presentWebhook(webhook));
    },
  );
