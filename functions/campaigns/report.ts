import { ledgerStore } from '../../shared/budgets/ledger.ts';
import {
  presentDays,
  REPORT_COLUMNS,
  reportQuery,
  resolvePeriod,
  toCsv,
  wantsCsv,
} from '../../shared/budgets/report.ts';
import { findCampaign } from '../../shared/campaigns/find.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { CSV } from '../../shared/http/response.ts';
import { query } from '../../shared/http/validation.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Reports a campaign's impressions, clicks, conversions, and spend by UTC day, as JSON or CSV. */
export default (effects: Effects) => {
  const ledgers = ledgerStore(effects);

  return createApp('campaigns/report', effects).get(
    toHonoPath('campaigns/report'),
    requireOwner(effects, endpoints['campaigns/report']),
    query(endpoints['campaigns/report'], reportQuery),
    async (c) => {
      const campaign = await findCampaign(effects, c.var.owner, c.req.param('id'));
      if (!campaign) throw notFound('management', 'Campaign not found');
      const { from, to } = resolvePeriod(c.req.valid('query'), effects.clock.now());
      const days = presentDays(await ledgers.days(campaign.id, from, to), from, to);
      return wantsCsv(c.req.header('accept')) ? c.body(toCsv(REPORT_COLUMNS, days), 200, CSV) : c.json(days);
    },
  );
};
