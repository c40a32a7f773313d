import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';
import { removeWebhook } from '../../shared/webhooks/add.ts';

/** Delete a webhook (api 8.1). */
export default endpoint('webhooks/delete', (effects) => ({
  async act({ owner, params }) {
    if (!(await removeWebhook(effects, owner, params.id))) throw notFound('management', 'Webhook not found');
    return ok({ message: 'Webhook deleted successfully' });
  },
}));
