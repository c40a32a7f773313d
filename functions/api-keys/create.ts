import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { answerOnce } from '../../shared/http/idempotency.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { jsonBody } from '../../shared/http/validation.ts';
import { addApiKeyOnce } from '../../shared/keys/create-key.ts';
import { findApiKey, presentApiKey } from '../../shared/keys/find-key.ts';
import { createApiKey } from '../../shared/keys/key-schema.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Creates an API key (api 2). Only this response shows the whole key. */
export default (effects: Effects) =>
  createApp('api-keys/create', effects).post(
    toHonoPath('api-keys/create'),
    requireOwner(effects, endpoints['api-keys/create']),
    ...jsonBody(endpoints['api-keys/create'], createApiKey),
    (c) => {
      const body = c.req.valid('json');
      const { owner } = c.var;
      return answerOnce(c, effects, 'api-keys/create', body, {
        status: 201,
        gone: 'API key not found',
        async make(alongside) {
          const { name, mode, bidFloor, judge, ...settings } = body;
          const added = await addApiKeyOnce(effects, owner, { name, mode, bidFloor, judge, settings }, alongside);
          return added && presentApiKey(added.key, effects.clock.now(), added.secret);
        },
        async repeat(id) {
          const key = await findApiKey(effects, owner, id);
          return key && presentApiKey(key, effects.clock.now());
        },
      });
    },
  );
