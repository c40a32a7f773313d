import { toCsv, wantsCsv } from '../../shared/budgets/report.ts';
import { findCampaign } from '../../shared/campaigns/find.ts';
import { reportTerms, TERMS_REPORT_COLUMNS, termsReportQuery } from '../../shared/campaigns/terms-report.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { invalid, notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { CSV } from '../../shared/http/response.ts';
import { query } from '../../shared/http/validation.ts';
import { utcDay } from '../../shared/platform/clock.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Reports the keywords and phrases for which a campaign was shown in a month that is over, as JSON or CSV. */
export default (effects: Effects) =>
  createApp('reports/terms', effects).get(
    toHonoPath('reports/terms'),
    requireOwner(effects, endpoints['reports/terms']),
    query(endpoints['reports/terms'], termsReportQuery),
    async (c) => {
      const { campaignId, month } = c.req.valid('query');
      const current = utcDay(effects.clock.now()).slice(0, 'YYYY-MM'.length);
      if (month >= current)
        throw invalid('management', [{ path: 'month', message: `month must be over: ask for one before ${current}` }]);
      const campaign = await findCampaign(effects, c.var.owner, campaignId);
      if (!campaign) throw notFound('management', 'Campaign not found');
      const rows = await reportTerms(effects, campaign.id, month);
      return wantsCsv(c.req.header('accept')) ? c.body(toCsv(TERMS_REPORT_COLUMNS, rows), 200, CSV) : c.json(rows);
    },
  );
