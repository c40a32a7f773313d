import { resolvePeriod, withReportQuery } from '../../shared/budgets/report.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { notFound } from '../../shared/http/errors.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { query } from '../../shared/http/validation.ts';
import { findApiKey, presentApiKey } from '../../shared/keys/find-key.ts';
import { reportKey } from '../../shared/keys/key-report.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** Gets an API key (api 2), masked. `report=true` adds its daily report. */
export default (effects: Effects) =>
  createApp('api-keys/get', effects).get(
    toHonoPath('api-keys/get'),
    requireOwner(effects, endpoints['api-keys/get']),
    query(endpoints['api-keys/get'], withReportQuery),
    async (c) => {
      const { report, ...period } = c.req.valid('query');
      const key = await findApiKey(effects, c.var.owner, c.req.param('id'));
      if (!key) throw notFound('management', 'API key not found');
      const now = effects.clock.now();
      const presented = presentApiKey(key, now);
      if (report !== 'true') return c.json(presented);
      const { from, to } = resolvePeriod(period, now);
      return c.json({ ...presented, report: await reportKey(effects, key, from, to) });
    },
  );
