import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';
import { presentWebhook } from '../../shared/webhooks/present.ts';

/** Get a webhook (api 8.1). */
export default endpoint('webhooks/get', (effects) => ({
  async act({ owner, params }) {
    const webhook = await findWebhook(effects, owner, params.id);
    if (!webhook) throw notFound('management', 'Webhook not found');
    return ok(presentWebhook(webhook));
  },
}));
