import { endpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';
import { listWebhooks } from '../../shared/webhooks/find.ts';
import { presentWebhook } from '../../shared/webhooks/present.ts';

/** List webhooks (api 8.1), in the order of their creation. */
export default endpoint('webhooks/list', (effects) => ({
  async act({ owner }) {
    return ok((await listWebhooks(effects, owner)).map(presentWebhook));
  },
}));
