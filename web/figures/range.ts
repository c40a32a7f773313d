const DAY_MS = 24 * 60 * 60 * 1000;

/** The query of a report. Both days are inclusive. */
export interface Period {
  from: string;
  to: string;
}

/** The last days, or chosen days, all in UTC like budgets. */
export type Range = { days: number } | Period;

export const PRESETS = [7, 30, 90] as const;

const USUAL_DAYS = 30;

export const utcDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const toPeriod = (range: Range, now: number): Period =>
  'days' in range ? { from: utcDate(now - (range.days - 1) * DAY_MS), to: utcDate(now) } : range;

const isDay = (text: string | undefined): text is string =>
  /^\d{4}-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(Date.parse(text!));

/** Parses the range in the page's URL. Defaults to the last 30 days. */
export function parseRange({ days, from, to }: Readonly<Record<string, string>>): Range {
  if (isDay(from) && isDay(to)) return from <= to ? { from, to } : { from: to, to: from };
  return { days: PRESETS.find((preset) => String(preset) === days) ?? USUAL_DAYS };
}

/** Formats a range as a URL query. Empty for the default. */
export function toQuery(range: Range): string {
  if (!('days' in range)) return `?from=${range.from}&to=${range.to}`;
  return range.days === USUAL_DAYS ? '' : `?days=${range.days}`;
}

/** Maximum number of days in a report. */
const MAX_DAYS = 366;
/** The earliest first day of a report that ends on `to`. */
export const earliest = (to: string): string => utcDate(Date.parse(to) - (MAX_DAYS - 1) * DAY_MS);

export interface Day {
  date: string;
  /** Null if the divisor is zero. */
  value: number | null;
}

/** The elapsed part of the UTC day. */
export const partOfDay = (now: number): number => (now % DAY_MS) / DAY_MS;
