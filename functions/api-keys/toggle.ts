import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { ignoreBody } from '../../shared/http/validation.ts';
import { toggleApiKey } from '../../shared/keys/change-key.ts';
import { presentApiKey } from '../../shared/keys/find-key.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Turns an API key off or on (api 2), effective on the next request. */
export default (effects: Effects) =>
  createApp('api-keys/toggle', effects).patch(
    toHonoPath('api-keys/toggle'),
    requireOwner(effects, endpoints['api-keys/toggle']),
    ignoreBody(endpoints['api-keys/toggle']),
    async (c) => {
      const key = await toggleApiKey(effects, c.var.owner, c.req.param('id'));
      if (!key) throw notFound('management', 'API key not found');
      return c.json(presentApiKey(key, effects.clock.now()));
    },
  );
