import { addCampaign } from '../../shared/campaigns/add.ts';
import { createCampaign } from '../../shared/campaigns/schema.ts';
import { createCampaignView } from '../../shared/campaigns/view.ts';
import { lexicon } from '../../shared/catalog/lexicon.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { created } from '../../shared/http/response.ts';
import { savedCampaign } from '../../shared/http/saved.ts';

/** Create a campaign (api 3.4). */
export default endpoint('campaigns/create', (effects) => {
  const world = lexicon();
  const view = createCampaignView(effects);

  return {
    body: createCampaign,

    async act({ owner, body }) {
      return created(await view(savedCampaign(await addCampaign(effects, world, owner, body))));
    },
  };
});
