import { getLexicon } from '../../shared/ads/catalog/lexicon.ts';
import { addCampaign } from '../../shared/campaigns/add.ts';
import { createCampaignPresenter } from '../../shared/campaigns/campaign-presenter.ts';
import { createCampaign } from '../../shared/campaigns/campaign-schema.ts';
import { findCampaign } from '../../shared/campaigns/find.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { answerOnce } from '../../shared/http/idempotency.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { savedCampaign } from '../../shared/http/operations/outcomes.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { jsonBody } from '../../shared/http/validation.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Creates a campaign (api 3.4). */
export default (effects: Effects) => {
  const view = createCampaignPresenter(effects);

  return createApp('campaigns/create', effects).post(
    toHonoPath('campaigns/create'),
    requireOwner(effects, endpoints['campaigns/create']),
    ...jsonBody(endpoints['campaigns/create'], createCampaign),
    (c) => {
      const body = c.req.valid('json');
      const { owner } = c.var;
      return answerOnce(c, effects, 'campaigns/create', body, {
        status: 201,
        gone: 'Campaign not found',
        async make(alongside) {
          const saved = await addCampaign(effects, getLexicon(), owner, body, alongside);
          return saved.outcome === 'repeated' ? undefined : view(savedCampaign(saved));
        },
        async repeat(id) {
          const campaign = await findCampaign(effects, owner, id);
          return campaign && view(campaign);
        },
      });
    },
  );
};
