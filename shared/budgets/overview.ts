import { DAY_MS, utcDay } from '../platform/clock.ts';
import { toRecord } from '../platform/values/typed.ts';

const PERIOD_DAYS = 30;

/** The days that an overview covers, including today. */
export const OVERVIEW_DAYS = 2 * PERIOD_DAYS;

/** The periods of an overview: how many days before today each begins and ends. */
const PERIODS = {
  today: { from: 0, to: 0 },
  last30Days: { from: PERIOD_DAYS - 1, to: 0 },
  previous30Days: { from: OVERVIEW_DAYS - 1, to: PERIOD_DAYS },
} as const;

const overviewPeriods = ['today', 'last30Days', 'previous30Days'] as const satisfies (keyof typeof PERIODS)[];

/** The first day of an overview. */
export const getOverviewStart = (now: number): string => utcDay(now - PERIODS.previous30Days.from * DAY_MS);

/** Sums up the days of each period. */
export const toPeriods = <D extends { date: string }, S>(days: readonly D[], now: number, sum: (days: D[]) => S) =>
  toRecord(overviewPeriods, (period) => {
    const [from, to] = [PERIODS[period].from, PERIODS[period].to].map((back) => utcDay(now - back * DAY_MS));
    return sum(days.filter(({ date }) => from! <= date && date <= to!));
  });
