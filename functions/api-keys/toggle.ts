import { presentApiKey } from '../../shared/api-keys/present.ts';
import { apiKeyStore } from '../../shared/api-keys/store.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';

/** Switch an API key off or on (api 2), from the next request on. */
export default endpoint('api-keys/toggle', (effects) => {
  const apiKeys = apiKeyStore(effects);

  return {
    async act({ owner, params }) {
      const key = await apiKeys.toggle(owner, params.id);
      if (!key) throw notFound('management', 'API key not found');
      return ok(presentApiKey(key));
    },
  };
});
