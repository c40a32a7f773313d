import { endpoint } from '../../shared/http/endpoint.ts';
import { invalid } from '../../shared/http/errors.ts';
import { idempotent } from '../../shared/http/idempotent.ts';
import { checkReceiver } from '../../shared/http/receiver.ts';
import { created } from '../../shared/http/response.ts';
import { addWebhook, MOST_WEBHOOKS } from '../../shared/webhooks/add.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';
import { presentWebhook, presentWithSecret } from '../../shared/webhooks/present.ts';
import { createWebhook } from '../../shared/webhooks/schema.ts';

/** Register a webhook (api 8.1). This answer and that of a rotation are the only ones with the secret. */
export default endpoint('webhooks/create', (effects) => ({
  body: createWebhook,

  act: (request) =>
    idempotent(effects, 'webhooks/create', request, {
      gone: 'Webhook not found',
      async make(alongside) {
        const { url, events, description } = request.body;
        await checkReceiver(url, effects);
        const receiver = { url, events, description: description ?? '' };
        const added = await addWebhook(effects, request.owner, receiver, alongside);
        if (added.outcome === 'added') return created(presentWithSecret(added.webhook));
        if (added.outcome === 'repeated') return undefined;
        throw invalid('management', [{ path: '', message: `A user may have at most ${MOST_WEBHOOKS} webhooks` }]);
      },
      async repeat(id) {
        const webhook = await findWebhook(effects, request.owner, id);
        return webhook && created(presentWebhook(webhook));
      },
    }),
}));
