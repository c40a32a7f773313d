import { listApiKeys } from '../../shared/api-keys/find.ts';
import { presentApiKey } from '../../shared/api-keys/present.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';

/** List API keys (api 2), masked: the keys themselves are not stored. */
export default endpoint('api-keys/list', (effects) => {
  return {
    async act({ owner }) {
      return ok((await listApiKeys(effects, owner)).map((key) => presentApiKey(key)));
    },
  };
});
