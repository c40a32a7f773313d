import { utcDay } from '../../shared/platform/clock.ts';

/** Months to choose from. Figures of days are kept for two years. */
const MONTHS = 24;

const long = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

export const nameMonth = (month: string): string => long.format(Date.parse(month));

/** The month of a time, such as 2026-11, in UTC like statements. */
export const toMonth = (at: number): string => utcDay(at).slice(0, 'YYYY-MM'.length);

export const isMonth = (text = ''): boolean => /^2\d{3}-(0[1-9]|1[0-2])$/.test(text);

/** The last months, newest first. */
export function listMonths(now: number): string[] {
  const at = new Date(now);
  return Array.from({ length: MONTHS }, (_, back) =>
    toMonth(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - back, 1)),
  );
}
