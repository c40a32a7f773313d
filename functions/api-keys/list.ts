import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { query } from '../../shared/http/validation.ts';
import { listApiKeys, presentApiKey } from '../../shared/keys/find-key.ts';
import { readFigures } from '../../shared/keys/key-report.ts';
import { listKeys } from '../../shared/keys/key-schema.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Lists API keys (api 2). Keys are masked because only fingerprints are stored. `days` adds the figures of the last days. */
export default (effects: Effects) =>
  createApp('api-keys/list', effects).get(
    toHonoPath('api-keys/list'),
    requireOwner(effects, endpoints['api-keys/list']),
    query(endpoints['api-keys/list'], listKeys),
    async (c) => {
      const { days } = c.req.valid('query');
      const keys = await listApiKeys(effects, c.var.owner);
      const figures = days === undefined ? [] : await readFigures(effects, keys, days);
      const now = effects.clock.now();
      return c.json(
        keys.map((key, at) => ({ ...presentApiKey(key, now), ...(figures[at] && { figures: figures[at] }) })),
      );
    },
  );
