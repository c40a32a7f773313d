import { listApiKeys } from '../../shared/api-keys/find.ts';
import { presentApiKey } from '../../shared/api-keys/present.ts';
import { figuresOf } from '../../shared/api-keys/report.ts';
import { listKeys } from '../../shared/api-keys/schema.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';

/** List API keys (api 2), masked: the keys themselves are not stored; with what came of them where that is asked for. */
export default endpoint('api-keys/list', (effects) => {
  return {
    query: listKeys,

    async act({ owner, query: { days } }) {
      const keys = await listApiKeys(effects, owner);
      const figures = days === undefined ? [] : await figuresOf(effects, keys, days);
      const now = effects.clock.now();
      return ok(keys.map((key, at) => ({ ...presentApiKey(key, now), ...(figures[at] && { figures: figures[at] }) })));
    },
  };
});
