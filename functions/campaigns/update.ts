import { campaignStore } from '../../shared/campaigns/store.ts';
import { createCampaignView } from '../../shared/campaigns/view.ts';
import { ok } from '../../shared/http/answer.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { savedCampaign } from '../../shared/http/saved.ts';

/** Change a campaign by a partial body (contract, section 4.5; merge rules in decisions, section 3). */
export default endpoint('campaigns/update', (effects) => {
  const campaigns = campaignStore(effects);
  const view = createCampaignView(effects);

  return {
    async act({ user, params, body }) {
      return ok(await view(savedCampaign(await campaigns.update(user, params.id!, body))));
    },
  };
});
