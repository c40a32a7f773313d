import type * as z from 'zod';
import type { EarningsLine, MonthlyStatement, StatementQuery } from '../budgets/monthly-statement.ts';
import { toCsv } from '../budgets/report.ts';
import type { statementResponse } from '../budgets/statement-response.ts';
import type { StatementLine } from '../budgets/statements.ts';
import { micros, toUsd } from '../platform/values/money.ts';
import { withinAnswer } from './response.ts';

type Body<K extends string> = Extract<z.output<typeof statementResponse>, { kind: K }>;

/** Pages of a hundred lines in one response. A month of up to a hundred campaigns is one response. */
export const MAX_PAGES = 40;

export function presentSpend(statement: MonthlyStatement<StatementLine>, asked: StatementQuery): Body<'spend'> {
  const { days, next } = toDays(statement, asked);
  return {
    kind: 'spend',
    month: asked.month,
    currency: 'USD',
    spend: toUsd(statement.total),
    days: days.map(({ date, preliminary, total, lines }) => ({
      date,
      preliminary,
      spend: toUsd(total),
      campaigns: lines.map(({ campaignId, campaignName, impressions, clicks, conversions, spend }) => ({
        campaignId,
        campaignName,
        impressions,
        clicks,
        conversions,
        spend: toUsd(spend),
      })),
    })),
    next,
  };
}

export function presentEarnings(statement: MonthlyStatement<EarningsLine>, asked: StatementQuery): Body<'earnings'> {
  const { days, next } = toDays(statement, asked);
  return {
    kind: 'earnings',
    month: asked.month,
    currency: 'USD',
    earnings: toUsd(statement.total),
    days: days.map(({ date, preliminary, total, lines }) => ({
      date,
      preliminary,
      earnings: toUsd(total),
      keys: lines.map((line) => ({ ...line, earnings: toUsd(line.earnings) })),
    })),
    next,
  };
}

/** Groups the pages that fit into a response by day. A day that is divided between two responses is in both, with its whole total. */
function toDays<Line>({ pages, preliminaryDays }: MonthlyStatement<Line>, { dates, after }: StatementQuery) {
  const shown = withinAnswer(pages.slice(0, MAX_PAGES));
  const last = shown.length < pages.length ? shown.at(-1) : undefined;
  const byDate = Map.groupBy(shown, ({ date }) => date);
  const continued = after.slice(0, 'YYYY-MM-DD'.length);
  const covered = dates.filter(
    (date) => (date > continued || byDate.has(date)) && (last === undefined || date <= last.date),
  );
  return {
    days: covered.map((date) => ({
      date,
      preliminary: preliminaryDays.includes(date),
      total: byDate.get(date)?.[0]?.total ?? micros(0),
      lines: (byDate.get(date) ?? []).flatMap(({ lines }) => lines),
    })),
    next: last ? toCursor(last.key) : null,
  };
}

/** The key of a page without the number sign, which would end the query of a URL. */
const toCursor = (key: string): string => key.replace('#', '.');
export const fromCursor = (cursor = ''): string => cursor.replace('.', '#');

/** One row per line, for CSV. */
export const toStatementCsv = (body: Body<'spend'> | Body<'earnings'>): string =>
  body.kind === 'spend'
    ? toCsv(
        ['date', 'campaignId', 'campaignName', 'impressions', 'clicks', 'conversions', 'spend', 'preliminary'],
        body.days.flatMap(({ date, preliminary, campaigns }) =>
          campaigns.map((line) => ({ ...line, date, preliminary })),
        ),
      )
    : toCsv(
        ['date', 'keyId', 'keyName', 'impressions', 'clicks', 'earnings', 'preliminary'],
        body.days.flatMap(({ date, preliminary, keys }) => keys.map((line) => ({ ...line, date, preliminary }))),
      );
