import * as z from 'zod';
import { DAY_MS, listDates, utcDay } from '../platform/clock.ts';
import type { Dimension } from '../platform/values/dimensions.ts';
import { toUsd } from '../platform/values/money.ts';
import { yesOrNo } from '../platform/values/value-schema.ts';
import { LATEST_COLUMNS, type LedgerDay, NO_COUNTS, toSuspectClicks } from './day-counts.ts';
import type { reportDayResponse } from './report-response.ts';

const MAX_DAYS = 366;
/** With a breakdown, a day has up to 52 rows, and its counts are on several pages. */
const MAX_DAYS_BY_VALUE = 93;
const DEFAULT_DAYS = 30;

/** The earliest and latest reportable days. They keep date arithmetic within four-digit years. */
const EARLIEST = '2000-01-01';
const LATEST = '2999-12-31';

const date = (name: string) => {
  const message = `${name} must be a date such as 2026-11-20, from ${EARLIEST} to ${LATEST}`;
  return z.iso
    .date({ error: message, abort: true })
    .refine((day) => day >= EARLIEST && day <= LATEST, message)
    .optional();
};
const next = (day: string, days: number): string => utcDay(Date.parse(day) + days * DAY_MS);

/** The query of a report: UTC days, both inclusive. */
export const reportQuery = z
  .object({
    from: date('from').describe('First UTC day; by default, the report covers 30 days'),
    to: date('to').describe('Last UTC day; by default, today. A report covers at most 366 days'),
  })
  .refine(({ from, to }) => !from || !to || from <= to, { path: ['to'], error: 'to must not be before from' })
  .refine(({ from, to }) => !from || !to || to < next(from, MAX_DAYS), {
    path: ['to'],
    error: `a report covers at most ${MAX_DAYS} days`,
  });

/** The query of a report that may be broken down by one of the dimensions. */
export const breakdownQuery = <const D extends readonly Dimension[]>(dimensions: D) =>
  reportQuery
    .safeExtend({
      by: z
        .enum(dimensions, `by must be one of ${dimensions.join(', ')}`)
        .optional()
        .describe(
          `Breaks each day down: one row for each value with counts. Then, the report covers at most ${MAX_DAYS_BY_VALUE} days`,
        ),
    })
    .refine(({ by, from, to }) => !by || !from || !to || to < next(from, MAX_DAYS_BY_VALUE), {
      path: ['to'],
      error: `a report by value covers at most ${MAX_DAYS_BY_VALUE} days`,
    });

/** The query of a campaign or key that may include its report. */
export const withReportQuery = reportQuery.safeExtend({
  report: yesOrNo('report').optional().describe('`true`: include the daily report, for the days from `from` to `to`'),
});

/** The period of a report, both ends inclusive. By default, it is the last thirty days. */
export function resolvePeriod({ from, to, by }: Period & { by?: Dimension }, now: number): Required<Period> {
  const today = utcDay(now);
  if (!from) return { from: next(to ?? today, 1 - DEFAULT_DAYS), to: to ?? today };
  return { from, to: to ?? later(from, earlier(today, next(from, (by ? MAX_DAYS_BY_VALUE : MAX_DAYS) - 1))) };
}

type Period = z.output<typeof reportQuery>;

const earlier = (a: string, b: string): string => (a < b ? a : b);
const later = (a: string, b: string): string => (a > b ? a : b);

/** Every day of a period, including days without activity; amounts in USD. */
export function presentDays(
  days: readonly LedgerDay[],
  from: string,
  to: string,
): z.output<typeof reportDayResponse>[] {
  const daysByDate = new Map(days.map((day) => [day.date, day]));
  return listDates(from, to).map((date) => {
    const { spend, conversionValue, tooFastClicks, tooManyClicks, ...counts } = {
      ...NO_COUNTS,
      ...daysByDate.get(date),
    };
    return {
      date,
      ...counts,
      spend: toUsd(spend),
      conversionValue: toUsd(conversionValue),
      suspectClicks: toSuspectClicks({ tooFastClicks, tooManyClicks }),
    };
  });
}

export const REPORT_COLUMNS = [
  'date',
  'impressions',
  'clicks',
  'conversions',
  'spend',
  'conversionValue',
  ...LATEST_COLUMNS,
] as const;

/** Comma-separated values with a header line (RFC 4180); null becomes an empty value. A column may name a part, such as `suspectClicks.tooFast`. */
export const toCsv = (columns: readonly string[], rows: readonly object[]): string =>
  [columns, ...rows.map((row) => columns.map((column) => readPath(row, column)))]
    .map((cells) => `${cells.map(toCell).join(',')}\r\n`)
    .join('');

const readPath = (row: object, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => Reflect.get(Object(value), name), row);

/** Quotes a value if necessary. A spreadsheet would run text that begins like a formula; the apostrophe keeps it text. */
function toCell(value: unknown): string {
  if (typeof value !== 'string') return String(value ?? '');
  const text = /^[=+\-@＝＋－＠\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Whether an Accept header requests CSV. */
export const wantsCsv = (accept = ''): boolean => /\btext\/csv\b/i.test(accept);
