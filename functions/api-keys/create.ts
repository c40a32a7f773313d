import { addApiKeyOnce } from '../../shared/api-keys/add.ts';
import { findApiKey } from '../../shared/api-keys/find.ts';
import { presentApiKey } from '../../shared/api-keys/present.ts';
import { createApiKey } from '../../shared/api-keys/schema.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { idempotent } from '../../shared/http/idempotent.ts';
import { created } from '../../shared/http/response.ts';

/** Create an API key (api 2). This answer is the only place that ever shows the whole key. */
export default endpoint('api-keys/create', (effects) => {
  return {
    body: createApiKey,

    act: (request) =>
      idempotent(effects, 'api-keys/create', request, {
        gone: 'API key not found',
        async make(alongside) {
          const { name, mode, bidFloor, judge, ...settings } = request.body;
          const input = { name, mode, bidFloor, judge, settings };
          const added = await addApiKeyOnce(effects, request.owner, input, alongside);
          return added && created(presentApiKey(added.key, effects.clock.now(), added.secret));
        },
        async repeat(id) {
          const key = await findApiKey(effects, request.owner, id);
          return key && created(presentApiKey(key, effects.clock.now()));
        },
      }),
  };
});
