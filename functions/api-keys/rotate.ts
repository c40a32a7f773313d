import { presentApiKey } from '../../shared/api-keys/present.ts';
import { rotateApiKey } from '../../shared/api-keys/rotate.ts';
import { rotateKey } from '../../shared/api-keys/schema.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';

/** Give an API key a new secret (api 2). This answer is the only place that ever shows it whole. */
export default endpoint('api-keys/rotate', (effects) => {
  return {
    body: rotateKey,

    async act({ owner, params, body: { revokeOld } }) {
      const rotated = await rotateApiKey(effects, owner, params.id, revokeOld);
      if (!rotated) throw notFound('management', 'API key not found');
      return ok(presentApiKey(rotated.key, rotated.secret));
    },
  };
});
