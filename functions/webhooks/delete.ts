import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';
import { webhookStore } from '../../shared/webhooks/store.ts';

/** Delete a webhook (api 8.1). */
export default endpoint('webhooks/delete', (effects) => {
  const webhooks = webhookStore(effects);

  return {
    async act({ owner, params }) {
      if (!(await webhooks.remove(owner, params.id!))) throw notFound('management', 'Webhook not found');
      return ok({ message: 'Webhook deleted successfully' });
    },
  };
});
