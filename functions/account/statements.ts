import { listDatesOf, statementQuery } from '../../shared/budgets/monthly-statement.ts';
import { wantsCsv } from '../../shared/budgets/report.ts';
import { readSpendStatement } from '../../shared/campaigns/spend-statement.ts';
import { createApp, toHonoPath } from '../../shared/http/app.ts';
import { endpoints } from '../../shared/http/operations/endpoints.ts';
import { requireOwner } from '../../shared/http/operations/owner.ts';
import { CSV } from '../../shared/http/response.ts';
import { fromCursor, MAX_PAGES, presentEarnings, presentSpend, toStatementCsv } from '../../shared/http/statement.ts';
import { query } from '../../shared/http/validation.ts';
import { readEarningsStatement } from '../../shared/keys/earnings-statement.ts';
import { utcDay } from '../../shared/platform/clock.ts';
import type { Effects } from '../../shared/platform/effects.ts';

/** What a user spent or earned in a month, by UTC day, as JSON or CSV. A long statement continues at the next page, which `link` names. */
export default (effects: Effects) =>
  createApp('account/statements', effects).get(
    toHonoPath('account/statements'),
    requireOwner(effects, endpoints['account/statements']),
    query(endpoints['account/statements'], statementQuery),
    async (c) => {
      const now = effects.clock.now();
      const { kind, after, month = (after ?? utcDay(now)).slice(0, 'YYYY-MM'.length) } = c.req.valid('query');
      const asked = { owner: c.var.owner, month, dates: listDatesOf(month, now), after: fromCursor(after) };
      const body =
        kind === 'spend'
          ? presentSpend(await readSpendStatement(effects, asked, MAX_PAGES), asked)
          : presentEarnings(await readEarningsStatement(effects, asked), asked);
      if (body.next) c.header('link', `<${c.req.path}?month=${month}&kind=${kind}&after=${body.next}>; rel="next"`);
      return wantsCsv(c.req.header('accept')) ? c.body(toStatementCsv(body), 200, CSV) : c.json(body);
    },
  );
