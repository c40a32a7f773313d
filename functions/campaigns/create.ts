import { campaignStore } from '../../shared/campaigns/store.ts';
import { createCampaignView } from '../../shared/campaigns/view.ts';
import { created } from '../../shared/http/answer.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { savedCampaign } from '../../shared/http/saved.ts';

/** Create a campaign (contract, section 4.5). */
export default endpoint('campaigns/create', (effects) => {
  const campaigns = campaignStore(effects);
  const view = createCampaignView(effects);

  return {
    async act({ user, body }) {
      return created(await view(savedCampaign(await campaigns.create(user, body))));
    },
  };
});
