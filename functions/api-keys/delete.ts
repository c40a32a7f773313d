import { removeApiKey } from '../../shared/api-keys/add.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';

/** Delete an API key (api 2): from the next request on it is unknown. */
export default endpoint('api-keys/delete', (effects) => {
  return {
    async act({ owner, params }) {
      if (!(await removeApiKey(effects, owner, params.id))) throw notFound('management', 'API key not found');
      return ok({ message: 'API key deleted successfully' });
    },
  };
});
