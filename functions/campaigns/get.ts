import { createCampaignPresenter } from '../../shared/campaigns/campaign-presenter.ts';
import { findCampaign } from '../../shared/campaigns/find.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Gets a campaign (api 3.4). */
export default (effects: Effects) => {
  const view = createCampaignPresenter(effects);

  return createApp('campaigns/get', effects).get(
    toHonoPath('campaigns/get'),
    requireOwner(effects, endpoints['campaigns/get']),
    async (c) => {
      const campaign = await findCampaign(effects, c.var.owner, c.req.param('id'));
      if (!campaign) throw notFound('management', 'Campaign not found');
      return c.json(await view(campaign));
    },
  );
};
