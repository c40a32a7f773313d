import { CAMPAIGN_BREAKDOWN_COLUMNS, createCampaignBreakdown } from '../../shared/ads/campaign-breakdown.ts';
import { ledgerStore } from '../../shared/budgets/ledger.ts';
import { presentDays, REPORT_COLUMNS, resolvePeriod, toCsv, wantsCsv } from '../../shared/budgets/report.ts';
import { campaignReportQuery } from '../../shared/campaigns/campaign-schema.ts';
import { findCampaign } from '../../shared/campaigns/find.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { CSV } from '../../shared/http/response.ts';
import { query } from '../../shared/http/validation.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Reports a campaign's impressions, clicks, conversions, and spend by UTC day, and with `by` also by value of a dimension, as JSON or CSV. */
export default (effects: Effects) => {
  const ledgers = ledgerStore(effects);
  const breakDown = createCampaignBreakdown(effects);

  return createApp('campaigns/report', effects).get(
    toHonoPath('campaigns/report'),
    requireOwner(effects, endpoints['campaigns/report']),
    query(endpoints['campaigns/report'], campaignReportQuery),
    async (c) => {
      const campaign = await findCampaign(effects, c.var.owner, c.req.param('id'));
      if (!campaign) throw notFound('management', 'Campaign not found');
      const { by, ...period } = c.req.valid('query');
      const { from, to } = resolvePeriod({ ...period, by }, effects.clock.now());
      const [columns, rows] = by
        ? [CAMPAIGN_BREAKDOWN_COLUMNS, await breakDown(campaign, by, from, to)]
        : [REPORT_COLUMNS, presentDays(await ledgers.days(campaign.id, from, to), from, to)];
      return wantsCsv(c.req.header('accept')) ? c.body(toCsv(columns, rows), 200, CSV) : c.json(rows);
    },
  );
};
