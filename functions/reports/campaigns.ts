import { resolvePeriod, toCsv, wantsCsv } from '../../shared/budgets/report.ts';
import {
  CAMPAIGNS_REPORT_COLUMNS,
  campaignsReportQuery,
  reportCampaigns,
} from '../../shared/campaigns/campaigns-report.ts';
import { findCampaigns } from '../../shared/campaigns/find.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { CSV } from '../../shared/http/response.ts';
import { query } from '../../shared/http/validation.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Reports the figures of a user's campaigns in a period, one row per campaign, oldest first, as JSON or CSV. */
export default (effects: Effects) =>
  createApp('reports/campaigns', effects).get(
    toHonoPath('reports/campaigns'),
    requireOwner(effects, endpoints['reports/campaigns']),
    query(endpoints['reports/campaigns'], campaignsReportQuery),
    async (c) => {
      const { limit, offset, from: start, to: end } = c.req.valid('query');
      const { from, to } = resolvePeriod({ from: start, to: end }, effects.clock.now());
      const campaigns = await findCampaigns(effects, c.var.owner);
      const rows = await reportCampaigns(effects, campaigns.slice(offset, offset + limit), from, to);
      c.header('x-total-count', String(campaigns.length));
      return wantsCsv(c.req.header('accept')) ? c.body(toCsv(CAMPAIGNS_REPORT_COLUMNS, rows), 200, CSV) : c.json(rows);
    },
  );
