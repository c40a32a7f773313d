import { presentApiKey } from '../../shared/api-keys/present.ts';
import { toggleApiKey } from '../../shared/api-keys/toggle.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';

/** Switch an API key off or on (api 2), from the next request on. */
export default endpoint('api-keys/toggle', (effects) => {
  return {
    async act({ owner, params }) {
      const key = await toggleApiKey(effects, owner, params.id);
      if (!key) throw notFound('management', 'API key not found');
      return ok(presentApiKey(key, effects.clock.now()));
    },
  };
});
