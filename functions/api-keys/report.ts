import { resolvePeriod, toCsv, wantsCsv } from '../../shared/budgets/report.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { CSV } from '../../shared/http/response.ts';
import { query } from '../../shared/http/validation.ts';
import { findApiKey } from '../../shared/keys/find-key.ts';
import { breakDownKey, KEY_BREAKDOWN_COLUMNS } from '../../shared/keys/key-breakdown.ts';
import { keyReportColumns, reportKey, toKeyReportRow } from '../../shared/keys/key-report.ts';
import { keyReportQuery } from '../../shared/keys/key-schema.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Reports a key's figures by UTC day (api 2.1), and with `by` also by value of a dimension, as JSON or CSV. */
export default (effects: Effects) =>
  createApp('api-keys/report', effects).get(
    toHonoPath('api-keys/report'),
    requireOwner(effects, endpoints['api-keys/report']),
    query(endpoints['api-keys/report'], keyReportQuery),
    async (c) => {
      const key = await findApiKey(effects, c.var.owner, c.req.param('id'));
      if (!key) throw notFound('management', 'API key not found');
      const { by, ...period } = c.req.valid('query');
      const { from, to } = resolvePeriod({ ...period, by }, effects.clock.now());
      const isCsv = wantsCsv(c.req.header('accept'));
      if (by) {
        const rows = await breakDownKey(effects, key.id, by, from, to);
        return isCsv ? c.body(toCsv(KEY_BREAKDOWN_COLUMNS, rows), 200, CSV) : c.json(rows);
      }
      const days = await reportKey(effects, key, from, to);
      if (isCsv) return c.body(toCsv(keyReportColumns, days.map(toKeyReportRow)), 200, CSV);
      return c.json(days);
    },
  );
