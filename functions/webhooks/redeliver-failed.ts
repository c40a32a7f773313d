import { endpoint } from '../../shared/http/endpoint.ts';
import { listeningWebhook } from '../../shared/http/receiver.ts';
import { ok } from '../../shared/http/response.ts';
import { redeliverFailed } from '../../shared/webhooks/deliveries.ts';
import { redeliverFailedFrom } from '../../shared/webhooks/schema.ts';

/** Deliver the failed events of a webhook once more (api 8.2), a hundred a call. */
export default endpoint('webhooks/redeliver-failed', (effects) => {
  return {
    query: redeliverFailedFrom,

    async act({ owner, params, query: { before } }) {
      const webhook = await listeningWebhook(effects, owner, params.id);
      return ok(await redeliverFailed(effects, webhook.id, before));
    },
  };
});
