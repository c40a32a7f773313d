import { addCampaign } from '../../shared/campaigns/add.ts';
import { findCampaign } from '../../shared/campaigns/find.ts';
import { createCampaign } from '../../shared/campaigns/schema.ts';
import { createCampaignView } from '../../shared/campaigns/view.ts';
import { lexicon } from '../../shared/catalog/lexicon.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { idempotent } from '../../shared/http/idempotent.ts';
import { created } from '../../shared/http/response.ts';
import { savedCampaign } from '../../shared/http/saved.ts';

/** Create a campaign (api 3.4). */
export default endpoint('campaigns/create', (effects) => {
  const world = lexicon();
  const view = createCampaignView(effects);

  return {
    body: createCampaign,

    act: (request) =>
      idempotent(effects, 'campaigns/create', request, {
        gone: 'Campaign not found',
        async make(alongside) {
          const saved = await addCampaign(effects, world, request.owner, request.body, alongside);
          return saved.outcome === 'repeated' ? undefined : created(await view(savedCampaign(saved)));
        },
        async repeat(id) {
          const campaign = await findCampaign(effects, request.owner, id);
          return campaign && created(await view(campaign));
        },
      }),
  };
});
