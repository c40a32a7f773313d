import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { invalid } from '../../shared/http/errors.ts';
import { answerOnce } from '../../shared/http/idempotency.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { checkReceiver } from '../../shared/http/operations/outcomes.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { jsonBody } from '../../shared/http/validation.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { presentWebhook, presentWithSecret } from '../../shared/webhooks/present.ts';
import { createWebhook } from '../../shared/webhooks/webhook-schema.ts';
import { addWebhook, findWebhook, MAX_WEBHOOKS } from '../../shared/webhooks/webhook-store.ts';

/** Registers a webhook (api 8.1). Only this response and the response of a rotation show the secret. */
export default (effects: Effects) =>
  createApp('webhooks/create', effects).post(
    toHonoPath('webhooks/create'),
    requireOwner(effects, endpoints['webhooks/create']),
    ...jsonBody(endpoints['webhooks/create'], createWebhook),
    (c) => {
      const body = c.req.valid('json');
      const { owner } = c.var;
      return answerOnce(c, effects, 'webhooks/create', body, {
        status: 201,
        gone: 'Webhook not found',
        async make(alongside) {
          const { url, events, description } = body;
          await checkReceiver(url, effects);
          const added = await addWebhook(effects, owner, { url, events, description: description ?? '' }, alongside);
          if (added.outcome === 'added') return presentWithSecret(added.webhook);
          if (added.outcome === 'repeated') return undefined;
          throw invalid('management', [{ path: '', message: `A user may have at most ${MAX_WEBHOOKS} webhooks` }]);
        },
        async repeat(id) {
          const webhook = await findWebhook(effects, owner, id);
          return webhook && presentWebhook(webhook);
        },
      });
    },
  );
