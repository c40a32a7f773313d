import { ledgerStore } from '../../shared/budgets/ledger.ts';
import { presentListed } from '../../shared/campaigns/campaign-response.ts';
import { listCampaigns } from '../../shared/campaigns/campaign-schema.ts';
import { findCampaigns } from '../../shared/campaigns/find.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { withinAnswer } from '../../shared/http/response.ts';
import { query } from '../../shared/http/validation.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Lists campaigns (api 3.4), oldest first. `x-total-count` is the number of matching campaigns on all pages. */
export default (effects: Effects) => {
  const ledgers = ledgerStore(effects);

  return createApp('campaigns/list', effects).get(
    toHonoPath('campaigns/list'),
    requireOwner(effects, endpoints['campaigns/list']),
    query(endpoints['campaigns/list'], listCampaigns),
    async (c) => {
      const { status, limit, offset, serving } = c.req.valid('query');
      const campaigns = await findCampaigns(effects, c.var.owner);
      const matching = campaigns.filter((campaign) => !status || campaign.status === status);
      const selected = matching.slice(offset, offset + limit);
      const performance = await ledgers.performance(selected.map(({ id }) => id));
      const now = effects.clock.now();
      const page = selected.map((campaign, at) => presentListed(campaign, performance[at]!, now, serving === 'true'));
      return c.json(withinAnswer(page), 200, { 'x-total-count': String(matching.length) });
    },
  );
};
