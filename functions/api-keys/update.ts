import { changeApiKey } from '../../shared/api-keys/change.ts';
import { presentApiKey } from '../../shared/api-keys/present.ts';
import { updateApiKey } from '../../shared/api-keys/schema.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';
import { fromUsd } from '../../shared/values/money.ts';
import { keysOf } from '../../shared/values/typed.ts';

/** Change an API key by a partial body (api 2): name and floor hold from the next request on, settings within ten seconds. */
export default endpoint('api-keys/update', (effects) => {
  return {
    body: updateApiKey,

    async act({ owner, params, body: { name, bidFloor, judge, mode, isActive, ...settings } }) {
      const key = await changeApiKey(effects, owner, params.id, {
        name,
        bidFloor: bidFloor === undefined ? undefined : fromUsd(bidFloor ?? 0),
        judge: judge === undefined ? undefined : (judge ?? true),
        settings,
      });
      if (!key) throw notFound('management', 'API key not found');
      const unset = { mode, isActive };
      const ignored = keysOf(unset).filter((field) => unset[field] !== undefined && unset[field] !== key[field]);
      return { ...ok(presentApiKey(key, effects.clock.now())), ignored };
    },
  };
});
