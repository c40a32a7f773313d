import { findApiKey } from '../../shared/api-keys/find.ts';
import { presentApiKey } from '../../shared/api-keys/present.ts';
import { rotateApiKey } from '../../shared/api-keys/rotate.ts';
import { rotateKey } from '../../shared/api-keys/schema.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound, tooManySecrets } from '../../shared/http/errors.ts';
import { idempotent } from '../../shared/http/idempotent.ts';
import { ok } from '../../shared/http/response.ts';

const GONE = 'API key not found';

/** Give an API key a new secret (api 2). No later answer shows it whole, nor does a repeat with the same Idempotency-Key. */
export default endpoint('api-keys/rotate', (effects) => {
  return {
    body: rotateKey,

    act: (request) =>
      idempotent(effects, 'api-keys/rotate', request, {
        gone: GONE,
        async make(alongside) {
          const { owner, params, body } = request;
          const rotation = await rotateApiKey(effects, owner, params.id, body.revokeOld, alongside);
          switch (rotation.outcome) {
            case 'rotated':
              return ok(presentApiKey(rotation.key, effects.clock.now(), rotation.secret));
            case 'repeated':
              return undefined;
            case 'too_many':
              throw tooManySecrets(rotation.until);
            case 'unknown':
              throw notFound('management', GONE);
          }
        },
        async repeat(id) {
          const key = await findApiKey(effects, request.owner, id);
          return key && ok(presentApiKey(key, effects.clock.now()));
        },
      }),
  };
});
