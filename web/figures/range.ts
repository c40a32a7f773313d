import { useLocation } from 'preact-iso';
import { DAY_MS, utcDay } from '../../shared/platform/clock.ts';

/** The query of a report. Both days are inclusive. */
export interface Period {
  from: string;
  to: string;
}

/** The last days, or chosen days, all in UTC like budgets. */
export type Range = { days: number } | Period;

export const PRESETS = [7, 30, 90] as const;

export const USUAL_DAYS = 30;

export const toPeriod = (range: Range, now: number): Period =>
  'days' in range ? { from: utcDay(now - (range.days - 1) * DAY_MS), to: utcDay(now) } : range;

/** Whether it is a day of this millennium, of which reports exist. The service rejects any other. */
export const isDay = (text: string | undefined): text is string =>
  /^2\d{3}-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(Date.parse(text!)) && utcDay(Date.parse(text!)) === text;

/** Parses the range in the page's URL, at most as long as a report can be. Defaults to the last 30 days. */
function parseRange({ days, from, to }: Readonly<Record<string, string>>): Range {
  if (isDay(from) && isDay(to)) {
    const [first, last] = from <= to ? [from, to] : [to, from];
    return { from: first > earliest(last) ? first : earliest(last), to: last };
  }
  return { days: PRESETS.find((preset) => String(preset) === days) ?? USUAL_DAYS };
}

/** The range as parameters of the URL. None for the default. */
function toParams(range: Range): Record<string, string> {
  if (!('days' in range)) return { from: range.from, to: range.to };
  return range.days === USUAL_DAYS ? {} : { days: String(range.days) };
}

/** The range and the metric in the page's URL. */
export function useRange() {
  const { path, query, route } = useLocation();
  const range = parseRange(query);
  const show = (params: Record<string, string>) => {
    const text = new URLSearchParams(params).toString();
    route(text ? `${path}?${text}` : path, true);
  };
  const { metric = '' } = query;
  return {
    range,
    period: toPeriod(range, Date.now()),
    metric,
    setRange: (chosen: Range) => show({ ...toParams(chosen), ...(metric && { metric }) }),
    setMetric: (chosen: string) => show({ ...toParams(range), ...(chosen && { metric: chosen }) }),
  };
}

/** Maximum number of days in a report. */
const MAX_DAYS = 366;
/** The earliest first day of a report that ends on `to`. */
export const earliest = (to: string): string => utcDay(Date.parse(to) - (MAX_DAYS - 1) * DAY_MS);

export interface Day {
  date: string;
  /** Null if the divisor is zero. */
  value: number | null;
}

/** The elapsed part of the UTC day. */
export const partOfDay = (now: number): number => (now % DAY_MS) / DAY_MS;
