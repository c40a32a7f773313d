import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { presentWebhook } from '../../shared/webhooks/present.ts';
import { listWebhooks } from '../../shared/webhooks/webhook-store.ts';

/** Lists webhooks (api 8.1), oldest first. */
export default (effects: Effects) =>
  createApp('webhooks/list', effects).get(
    toHonoPath('webhooks/list'),
    requireOwner(effects, endpoints['webhooks/list']),
    async (c) => c.json((await listWebhooks(effects, c.var.owner)).map(presentWebhook)),
  );
