import * as z from 'zod';
import { listDates, utcDay } from '../platform/clock.ts';
import type { Micros } from '../platform/values/money.ts';

/** A UTC month of a query. */
export const monthSchema = z
  .string('month must be a month such as 2026-11')
  .regex(/^2\d{3}-(0[1-9]|1[0-2])$/, 'month must be a month such as 2026-11, from 2000-01 to 2999-12');

const AFTER = 'after must be the `next` of another response';

/** The query of a statement. */
export const statementQuery = z
  .object({
    month: monthSchema.optional().describe('The UTC month; by default, the current one'),
    kind: z
      .enum(['spend', 'earnings'], 'kind must be spend or earnings')
      .default('spend')
      .describe('`spend` of campaigns, or `earnings` of API keys'),
    after: z
      .string(AFTER)
      .regex(/^2\d{3}-\d{2}-\d{2}(\.\d{1,6})?$/, AFTER)
      .refine((after) => z.iso.date().safeParse(after.slice(0, 'YYYY-MM-DD'.length)).success, AFTER)
      .optional()
      .describe('Continues a long statement: the `next` of the previous response'),
  })
  .refine(({ month, after }) => !month || !after || after.startsWith(month), {
    path: ['after'],
    error: 'after must be the `next` of a response for the same month',
  });

/** What to read of a statement. */
export interface StatementQuery {
  owner: string;
  month: string;
  /** The days of the month that have begun. */
  dates: readonly string[];
  /** The key of the last page that the caller has; empty for the first. */
  after: string;
}

/** Some pages of a month, in order. */
export interface MonthlyStatement<Line> {
  /** Of the whole month. */
  total: Micros;
  /** The days whose figures may still change. */
  preliminaryDays: readonly string[];
  pages: readonly MonthPage<Line>[];
}

/** What a publisher's key earned on one day. */
export interface EarningsLine {
  keyId: string;
  keyName: string;
  impressions: number;
  clicks: number;
  earnings: Micros;
}

interface MonthPage<Line> {
  key: string;
  date: string;
  /** Of the whole day. */
  total: Micros;
  lines: readonly Line[];
}

/** The days of a month up to today. */
export function listDatesOf(month: string, now: number): string[] {
  const [year, number] = month.split('-').map(Number);
  const last = utcDay(Date.UTC(year!, number!, 0));
  const today = utcDay(now);
  return listDates(`${month}-01`, last < today ? last : today);
}
