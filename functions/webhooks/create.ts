import { endpoint } from '../../shared/http/endpoint.ts';
import { invalid } from '../../shared/http/errors.ts';
import { checkReceiver } from '../../shared/http/receiver.ts';
import { created } from '../../shared/http/response.ts';
import { addWebhook, MOST_WEBHOOKS } from '../../shared/webhooks/add.ts';
import { presentWithSecret } from '../../shared/webhooks/present.ts';
import { createWebhook } from '../../shared/webhooks/schema.ts';

/** Register a webhook (api 8.1). This answer and that of a rotation are the only ones with the secret. */
export default endpoint('webhooks/create', (effects) => ({
  body: createWebhook,

  async act({ owner, body: { url, events, description } }) {
    await checkReceiver(url, effects);
    const webhook = await addWebhook(effects, owner, { url, events, description: description ?? '' });
    if (!webhook) {
      throw invalid('management', [{ path: '', message: `A user may have at most ${MOST_WEBHOOKS} webhooks` }]);
    }
    return created(presentWithSecret(webhook));
  },
}));
