import { addApiKey } from '../../shared/api-keys/add.ts';
import { presentApiKey } from '../../shared/api-keys/present.ts';
import { createApiKey } from '../../shared/api-keys/schema.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { created } from '../../shared/http/response.ts';

/** Create an API key (api 2). This answer is the only place that ever shows the whole key. */
export default endpoint('api-keys/create', (effects) => {
  return {
    body: createApiKey,

    async act({ owner, body }) {
      const { key, secret } = await addApiKey(effects, owner, body);
      return created(presentApiKey(key, secret));
    },
  };
});
