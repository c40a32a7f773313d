import { endpoint } from '../../shared/http/endpoint.ts';
import { invalid, notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';
import { MOST_PREVIOUS, rotateSecret } from '../../shared/webhooks/change.ts';
import { presentWithSecret } from '../../shared/webhooks/present.ts';

/** Give a webhook a new secret (api 8.1); the old one signs along for 24 hours. */
export default endpoint('webhooks/rotate-secret', (effects) => ({
  async act({ owner, params }) {
    const rotation = await rotateSecret(effects, owner, params.id);
    if (rotation.outcome === 'unknown') throw notFound('management', 'Webhook not found');
    if (rotation.outcome === 'too_often') {
      throw invalid('management', [
        { path: '', message: `A secret may be rotated ${MOST_PREVIOUS} times in 24 hours` },
      ]);
    }
    return ok(presentWithSecret(rotation.webhook));
  },
}));
