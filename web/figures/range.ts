const DAY_MS = 24 * 60 * 60 * 1000;

/** The query of a report: both days inclusive. */
export interface Period {
  from: string;
  to: string;
}

/** The last days up to today, or chosen ones; all in UTC, as budgets are. */
export type Range = { days: number } | Period;

export const PRESETS = [7, 30, 90] as const;

const USUAL_DAYS = 30;

export const utcDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const periodOf = (range: Range, now: number): Period =>
  'days' in range ? { from: utcDate(now - (range.days - 1) * DAY_MS), to: utcDate(now) } : range;

const isDay = (text: string | undefined): text is string =>
  /^\d{4}-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(Date.parse(text!));

/** The range that a page's address says; the last 30 days where that is none. */
export function rangeOf({ days, from, to }: Readonly<Record<string, string>>): Range {
  if (isDay(from) && isDay(to)) return from <= to ? { from, to } : { from: to, to: from };
  return { days: PRESETS.find((preset) => String(preset) === days) ?? USUAL_DAYS };
}

/** A range as the query of an address; none for the usual one. */
export function queryOf(range: Range): string {
  if (!('days' in range)) return `?from=${range.from}&to=${range.to}`;
  return range.days === USUAL_DAYS ? '' : `?days=${range.days}`;
}

/** A report covers so many days at most, both inclusive. */
const MOST_DAYS = 366;
/** The first day that a report up to this one can begin with. */
export const earliest = (to: string): string => utcDate(Date.parse(to) - (MOST_DAYS - 1) * DAY_MS);

export interface Day {
  date: string;
  /** None where there is nothing to divide by. */
  value: number | null;
}

/** The part of the UTC day that is over. */
export const partOfDay = (now: number): number => (now % DAY_MS) / DAY_MS;
