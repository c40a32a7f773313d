import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound, tooManySecrets } from '../../shared/http/errors.ts';
import { answerOnce } from '../../shared/http/idempotency.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { jsonBody } from '../../shared/http/validation.ts';
import { findApiKey, presentApiKey } from '../../shared/keys/find-key.ts';
import { rotateKey } from '../../shared/keys/key-schema.ts';
import { rotateApiKey } from '../../shared/keys/rotate-key.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Gives an API key a new secret (api 2). Only this response shows it; a retry with the same Idempotency-Key gets it masked. */
export default (effects: Effects) =>
  createApp('api-keys/rotate', effects).post(
    toHonoPath('api-keys/rotate'),
    requireOwner(effects, endpoints['api-keys/rotate']),
    ...jsonBody(endpoints['api-keys/rotate'], rotateKey),
    (c) => {
      const body = c.req.valid('json');
      const { owner } = c.var;
      return answerOnce(c, effects, 'api-keys/rotate', body, {
        status: 200,
        gone: 'API key not found',
        async make(alongside) {
          const rotation = await rotateApiKey(effects, owner, c.req.param('id'), body.revokeOld, alongside);
          switch (rotation.outcome) {
            case 'rotated':
              return presentApiKey(rotation.key, effects.clock.now(), rotation.secret);
            case 'repeated':
              return undefined;
            case 'too_many':
              throw tooManySecrets(rotation.until);
            case 'unknown':
              throw notFound('management', 'API key not found');
          }
        },
        async repeat(id) {
          const key = await findApiKey(effects, owner, id);
          return key && presentApiKey(key, effects.clock.now());
        },
      });
    },
  );
