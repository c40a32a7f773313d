import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { listeningWebhook } from '../../shared/http/operations/outcomes.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { ignoreBody, query } from '../../shared/http/validation.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { redeliverFailed } from '../../shared/webhooks/redeliver.ts';
import { redeliverFailedFrom } from '../../shared/webhooks/webhook-schema.ts';

/** Redelivers the failed events of a webhook (api 8.2), up to a hundred per call. */
export default (effects: Effects) =>
  createApp('webhooks/redeliver-failed', effects).post(
    toHonoPath('webhooks/redeliver-failed'),
    requireOwner(effects, endpoints['webhooks/redeliver-failed']),
    ignoreBody(endpoints['webhooks/redeliver-failed']),
    query(endpoints['webhooks/redeliver-failed'], redeliverFailedFrom),
    async (c) => {
      const webhook = await listeningWebhook(effects, c.var.owner, c.req.param('id'));
      return c.json(await redeliverFailed(effects, webhook.id, c.req.valid('query').before));
    },
  );
