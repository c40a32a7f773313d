import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound, tooManySecrets } from '../../shared/http/errors.ts';
import { answerOnce } from '../../shared/http/idempotency.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { jsonBody } from '../../shared/http/validation.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { presentWebhook, presentWithSecret } from '../../shared/webhooks/present.ts';
import { rotateWebhookSecret } from '../../shared/webhooks/webhook-schema.ts';
import { findWebhook, rotateSecret } from '../../shared/webhooks/webhook-store.ts';

/** Gives a webhook a new secret (api 8.1). Only this response shows it; a retry with the same Idempotency-Key does not. */
export default (effects: Effects) =>
  createApp('webhooks/rotate-secret', effects).post(
    toHonoPath('webhooks/rotate-secret'),
    requireOwner(effects, endpoints['webhooks/rotate-secret']),
    ...jsonBody(endpoints['webhooks/rotate-secret'], rotateWebhookSecret),
    (c) => {
      const body = c.req.valid('json');
      const { owner } = c.var;
      return answerOnce(c, effects, 'webhooks/rotate-secret', body, {
        status: 200,
        gone: 'Webhook not found',
        async make(alongside) {
          const rotation = await rotateSecret(effects, owner, c.req.param('id'), body.revokeOld, alongside);
          switch (rotation.outcome) {
            case 'rotated':
              return presentWithSecret(rotation.webhook);
            case 'repeated':
              return undefined;
            case 'too_many':
              throw tooManySecrets(rotation.until);
            case 'unknown':
              throw notFound('management', 'Webhook not found');
          }
        },
        async repeat(id) {
          const webhook = await findWebhook(effects, owner, id);
          return webhook && presentWebhook(webhook);
        },
      });
    },
  );
