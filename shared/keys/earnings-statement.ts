import type { EarningsLine, MonthlyStatement, StatementQuery } from '../budgets/monthly-statement.ts';
import { LATE_COUNTS_MS } from '../budgets/statements.ts';
import { utcDay } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import { fromUsd, type Micros, micros } from '../platform/values/money.ts';
import { listReportedKeys, reportKeys } from './key-report.ts';

const KEYS_PER_PAGE = 100;

/** An owner's earnings by day and key, as the reports of the keys show them. Includes deleted keys. */
export async function readEarningsStatement(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  { owner, dates, after }: StatementQuery,
): Promise<MonthlyStatement<EarningsLine>> {
  const [from, to] = [dates[0], dates.at(-1)];
  const linesByDate = new Map<string, EarningsLine[]>();
  if (from !== undefined && to !== undefined) {
    const keys = await listReportedKeys({ db }, owner, from);
    keys.sort((a, b) => (a.id < b.id ? -1 : 1)); // so that the pages are the same in every request
    for (const [index, days] of (await reportKeys({ db }, keys, from, to)).entries()) {
      const { id: keyId, name: keyName } = keys[index]!;
      for (const { date, impressions, clicks, earnings } of days) {
        if (impressions + clicks + earnings === 0) continue;
        const lines = linesByDate.get(date) ?? [];
        lines.push({ keyId, keyName, impressions, clicks, earnings: fromUsd(earnings) });
        linesByDate.set(date, lines);
      }
    }
  }
  const ended = utcDay(clock.now() - LATE_COUNTS_MS);
  const pages = dates.flatMap((date) => splitIntoPages(date, linesByDate.get(date) ?? []));
  return {
    total: sumEarnings([...linesByDate.values()].flat()),
    preliminaryDays: dates.filter((date) => date >= ended),
    pages: pages.filter(({ key }) => key > after),
  };
}

/** Pages are numbered with leading zeros, so their keys sort like their numbers. */
const splitIntoPages = (date: string, lines: readonly EarningsLine[]) =>
  Array.from({ length: Math.ceil(lines.length / KEYS_PER_PAGE) }, (_, index) => ({
    key: `${date}#${String(index + 1).padStart(6, '0')}`,
    date,
    total: sumEarnings(lines),
    lines: lines.slice(index * KEYS_PER_PAGE, (index + 1) * KEYS_PER_PAGE),
  }));

const sumEarnings = (lines: readonly EarningsLine[]): Micros =>
  micros(lines.reduce((sum, { earnings }) => sum + earnings, 0));
