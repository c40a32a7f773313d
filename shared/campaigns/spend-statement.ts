import { accountDayStore } from '../budgets/account-days.ts';
import type { MonthlyStatement, StatementQuery } from '../budgets/monthly-statement.ts';
import { statementStore } from '../budgets/statement-store.ts';
import {
  buildStatements,
  listBillableDays,
  type StatementLine,
  type StatementPage,
  splitIntoPages,
  toDay,
} from '../budgets/statements.ts';
import type { Effects } from '../platform/effects.ts';
import { micros } from '../platform/values/money.ts';
import { findOwnedCampaigns } from './find.ts';
import { readOpenDays } from './open-days.ts';

/**
 * An owner's spend by day and campaign: the stored statements, which were sent as events, and the ledgers for days that are not billed yet.
 * Reads little more than `maxPages` pages after the given one, and one page of each other day for the total of the month.
 */
export async function readSpendStatement(
  effects: Pick<Effects, 'db' | 'clock'>,
  { owner, month, dates, after }: StatementQuery,
  maxPages: number,
): Promise<MonthlyStatement<StatementLine>> {
  const statements = statementStore(effects);
  const now = effects.clock.now();
  const [firstBillable = ''] = listBillableDays(now);
  const unbilled = await statements.unbilled(
    owner,
    dates.filter((date) => date >= firstBillable),
  );
  const isUnbilled = (page: StatementPage) => unbilled.includes(toDay(page));

  const preliminary = await buildPreliminary(effects, owner, unbilled);
  // A day that was summed after the statements were issued has none if nothing was spent.
  const unsummed = await accountDayStore(effects).unsummed(unbilled);
  const preliminaryDays = unbilled.filter(
    (day) => unsummed.includes(day) || preliminary.some((page) => toDay(page) === day),
  );
  const pages = preliminary.filter(({ date }) => date > after);
  let stored = 0;
  for await (const page of statements.pagesOf(owner, month, after)) {
    if (isUnbilled(page)) continue;
    pages.push(page);
    if (++stored > maxPages) break;
  }
  pages.sort((a, b) => (a.date < b.date ? -1 : 1));

  const seen = new Map([...preliminary, ...pages].map((page) => [toDay(page), page]));
  if (after !== '' || stored > maxPages) {
    const unseen = dates.filter((date) => !seen.has(date) && !unbilled.includes(date));
    for (const [day, page] of await statements.firstPages(owner, unseen)) seen.set(day, page);
  }
  return {
    total: micros([...seen.values()].reduce((sum, { spend }) => sum + spend, 0)),
    preliminaryDays,
    pages: pages.map((page) => ({ key: page.date, date: toDay(page), total: page.spend, lines: page.campaigns })),
  };
}

/** The pages that the statements of these days would have if they were issued now. */
async function buildPreliminary(
  effects: Pick<Effects, 'db' | 'clock'>,
  owner: string,
  dates: readonly string[],
): Promise<StatementPage[]> {
  if (dates.length === 0) return [];
  const campaigns = await findOwnedCampaigns(effects, owner);
  const byId = new Map(campaigns.map(({ id, name }) => [id, { owner, name }]));
  const days = await readOpenDays(effects, campaigns, dates);
  return dates.flatMap((date) =>
    buildStatements(
      days.filter((day) => day.date === date),
      byId,
      date,
      effects.clock.now(),
    ).flatMap(splitIntoPages),
  );
}
