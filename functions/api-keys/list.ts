import { presentApiKey } from '../../shared/api-keys/present.ts';
import { apiKeyStore } from '../../shared/api-keys/store.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';

/** List API keys (api 2), masked: the keys themselves are not stored. */
export default endpoint('api-keys/list', (effects) => {
  const apiKeys = apiKeyStore(effects);

  return {
    async act({ owner }) {
      return ok((await apiKeys.list(owner)).map((key) => presentApiKey(key)));
    },
  };
});
