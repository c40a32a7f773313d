import { useLocation } from 'preact-iso/router';
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

/** What a page with figures keeps in its URL in addition to the range. */
const PARAMS = ['metric', 'by', 'sort'] as const;
type Params = Record<(typeof PARAMS)[number], string>;

/** The range, the metric of the chart, the dimension of the breakdown, and the order of its table, in the page's URL. */
export function useRange() {
  const { path, query, route } = useLocation();
  const range = parseRange(query);
  const { metric = '', by = '', sort = '' } = query;
  const params: Params = { metric, by, sort };
  const show = (shown: Range, change: Partial<Params> = {}) => {
    const kept = { ...params, ...change };
    const set = PARAMS.filter((name) => kept[name] !== '').map((name) => [name, kept[name]]);
    const text = new URLSearchParams({ ...toParams(shown), ...Object.fromEntries(set) }).toString();
    route(text ? `${path}?${text}` : path, true);
  };
  return {
    range,
    period: toPeriod(range, Date.now()),
    ...params,
    setRange: (chosen: Range) => show(chosen),
    /** Sets a parameter; an empty text removes it. */
    set: (change: Partial<Params>) => show(range, change),
  };
}

/** Maximum number of days in a report, and in a breakdown. */
const MAX_DAYS = 366;
export const MAX_DAYS_BY_VALUE = 93;
/** The earliest first day of a report that ends on `to`. */
export const earliest = (to: string): string => utcDay(Date.parse(to) - (MAX_DAYS - 1) * DAY_MS);

/** The elapsed part of the UTC day. */
export const partOfDay = (now: number): number => (now % DAY_MS) / DAY_MS;
