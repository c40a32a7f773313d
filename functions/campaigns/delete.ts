import { removeCampaign } from '../../shared/campaigns/remove.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';

/** Delete a campaign (api 3.4); irreversible. Its name is free again. */
export default endpoint('campaigns/delete', (effects) => {
  return {
    async act({ owner, params }) {
      if (!(await removeCampaign(effects, owner, params.id))) throw notFound('management', 'Campaign not found');
      return ok({ message: 'Campaign deleted successfully' });
    },
  };
});
