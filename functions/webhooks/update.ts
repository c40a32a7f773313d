import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { checkReceiver } from '../../shared/http/receiver.ts';
import { ok } from '../../shared/http/response.ts';
import { changeWebhook } from '../../shared/webhooks/change.ts';
import { presentWebhook } from '../../shared/webhooks/present.ts';
import { updateWebhook } from '../../shared/webhooks/schema.ts';

/** Change a webhook by a partial body (api 8.1); status `active` revives it. */
export default endpoint('webhooks/update', (effects) => ({
  body: updateWebhook,

  async act({ owner, params, body: { url, events, description, status } }) {
    if (url !== undefined) await checkReceiver(url, effects);
    const webhook = await changeWebhook(effects, owner, params.id, {
      ...(url !== undefined && { url }),
      ...(events && { events }),
      ...(description !== undefined && { description: description ?? '' }),
      ...(status && status !== 'failed' && { status }),
    });
    if (!webhook) throw notFound('management', 'Webhook not found');
    return ok(presentWebhook(webhook));
  },
}));
