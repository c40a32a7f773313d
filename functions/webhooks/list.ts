import { endpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';
import { presentWebhook } from '../../shared/webhooks/present.ts';
import { webhookStore } from '../../shared/webhooks/store.ts';

/** List webhooks (api 8.1), in the order of their creation. */
export default endpoint('webhooks/list', (effects) => {
  const webhooks = webhookStore(effects);

  return {
    async act({ owner }) {
      return ok((await webhooks.list(owner)).map(presentWebhook));
    },
  };
});
