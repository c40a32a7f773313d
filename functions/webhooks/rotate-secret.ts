import { ok } from '../../shared/http/answer.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { presentWithSecret } from '../../shared/webhooks/present.ts';
import { webhookStore } from '../../shared/webhooks/store.ts';

/** Give a webhook a new secret (decisions, section 8); the old one signs along for 24 hours. */
export default endpoint('webhooks/rotate-secret', (effects) => {
  const webhooks = webhookStore(effects);

  return {
    async act({ user, params }) {
      const webhook = await webhooks.rotate(user, params.id!);
      if (!webhook) throw notFound('management', 'Webhook not found');
      return ok(presentWithSecret(webhook));
    },
  };
});
