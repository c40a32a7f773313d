import { ledgerStore } from '../../shared/budgets/ledger.ts';
import { presentDays, resolvePeriod, withReportQuery } from '../../shared/budgets/report.ts';
import { createCampaignPresenter } from '../../shared/campaigns/campaign-presenter.ts';
import { findCampaign } from '../../shared/campaigns/find.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { query } from '../../shared/http/validation.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Gets a campaign (api 3.4). `report=true` adds its daily report. */
export default (effects: Effects) => {
  const view = createCampaignPresenter(effects);
  const ledgers = ledgerStore(effects);

  return createApp('campaigns/get', effects).get(
    toHonoPath('campaigns/get'),
    requireOwner(effects, endpoints['campaigns/get']),
    query(endpoints['campaigns/get'], withReportQuery),
    async (c) => {
      const { report, ...period } = c.req.valid('query');
      const campaign = await findCampaign(effects, c.var.owner, c.req.param('id'));
      if (!campaign) throw notFound('management', 'Campaign not found');
      if (report !== 'true') return c.json(await view(campaign));
      const { from, to } = resolvePeriod(period, effects.clock.now());
      const [presented, days] = await Promise.all([view(campaign), ledgers.days(campaign.id, from, to)]);
      return c.json({ ...presented, report: presentDays(days, from, to) });
    },
  );
};
