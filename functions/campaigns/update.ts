import { getLexicon } from '../../shared/ads/catalog/lexicon.ts';
import { createCampaignPresenter } from '../../shared/campaigns/campaign-presenter.ts';
import { updateCampaign } from '../../shared/campaigns/campaign-schema.ts';
import { changeCampaign } from '../../shared/campaigns/change.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { savedCampaign } from '../../shared/http/operations/outcomes.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { jsonBody } from '../../shared/http/validation.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Updates a campaign from a partial body (api 3.4). */
export default (effects: Effects) => {
  const view = createCampaignPresenter(effects);

  return createApp('campaigns/update', effects).patch(
    toHonoPath('campaigns/update'),
    requireOwner(effects, endpoints['campaigns/update']),
    ...jsonBody(endpoints['campaigns/update'], updateCampaign),
    async (c) => {
      const saved = await changeCampaign(effects, getLexicon(), c.var.owner, c.req.param('id'), c.req.valid('json'));
      return c.json(await view(savedCampaign(saved)));
    },
  );
};
