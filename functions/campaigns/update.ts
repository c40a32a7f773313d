import { changeCampaign } from '../../shared/campaigns/change.ts';
import { updateCampaign } from '../../shared/campaigns/schema.ts';
import { createCampaignView } from '../../shared/campaigns/view.ts';
import { lexicon } from '../../shared/catalog/lexicon.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';
import { savedCampaign } from '../../shared/http/saved.ts';

/** Change a campaign by a partial body (api 3.4). */
export default endpoint('campaigns/update', (effects) => {
  const world = lexicon();
  const view = createCampaignView(effects);

  return {
    body: updateCampaign,

    async act({ owner, params, body }) {
      return ok(await view(savedCampaign(await changeCampaign(effects, world, owner, params.id, body))));
    },
  };
});
