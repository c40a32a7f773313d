import { findCampaign } from '../../shared/campaigns/find.ts';
import { createCampaignView } from '../../shared/campaigns/view.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/http/response.ts';

/** Get a campaign (api 3.4). */
export default endpoint('campaigns/get', (effects) => {
  const view = createCampaignView(effects);

  return {
    async act({ owner, params }) {
      const campaign = await findCampaign(effects, owner, params.id);
      if (!campaign) throw notFound('management', 'Campaign not found');
      return ok(await view(campaign));
    },
  };
});
