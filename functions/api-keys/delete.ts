import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { removeApiKey } from '../../shared/keys/create-key.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Deletes an API key (api 2). The next request with it gets 401. */
export default (effects: Effects) =>
  createApp('api-keys/delete', effects).delete(
    toHonoPath('api-keys/delete'),
    requireOwner(effects, endpoints['api-keys/delete']),
    async (c) => {
      if (!(await removeApiKey(effects, c.var.owner, c.req.param('id'))))
        throw notFound('management', 'API key not found');
      return c.json({ message: 'API key deleted successfully' });
    },
  );
