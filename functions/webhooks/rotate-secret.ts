import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound, tooManySecrets } from '../../shared/http/errors.ts';
import { idempotent } from '../../shared/http/idempotent.ts';
import { ok } from '../../shared/http/response.ts';
import { rotateSecret } from '../../shared/webhooks/change.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';
import { presentWebhook, presentWithSecret } from '../../shared/webhooks/present.ts';
import { rotateWebhookSecret } from '../../shared/webhooks/schema.ts';

const GONE = 'Webhook not found';

/** Give a webhook a new secret (api 8.1). No later answer shows it, nor does a repeat with the same Idempotency-Key. */
export default endpoint('webhooks/rotate-secret', (effects) => ({
  body: rotateWebhookSecret,

  act: (request) =>
    idempotent(effects, 'webhooks/rotate-secret', request, {
      gone: GONE,
      async make(alongside) {
        const { owner, params, body } = request;
        const rotation = await rotateSecret(effects, owner, params.id, body.revokeOld, alongside);
        switch (rotation.outcome) {
          case 'rotated':
            return ok(presentWithSecret(rotation.webhook));
          case 'repeated':
            return undefined;
          case 'too_many':
            throw tooManySecrets(rotation.until);
          case 'unknown':
            throw notFound('management', GONE);
        }
      },
      async repeat(id) {
        const webhook = await findWebhook(effects, request.owner, id);
        return webhook && ok(presentWebhook(webhook));
      },
    }),
}));
