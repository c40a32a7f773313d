import {
  formatCount,
  formatRate,
  formatShort,
  formatShortPercent,
  formatShortUsd,
  formatUsd,
  orNone,
} from '../format.ts';

/** A daily metric. */
export interface Metric<D> {
  name: string;
  /** The name in full, if it is an abbreviation. */
  fullName?: string;
  /** What there was none of if the total is zero or unknown. */
  noun: string;
  of(day: D): number | null;
  /** The total of several days: a rate is not a sum. */
  total(days: readonly D[]): number | null;
  isWhole: boolean;
  format(value: number | null): string;
  /** Formats a label of the value axis. @param step the distance between two labels */
  formatAxis(value: number, step: number): string;
}

type Of<D> = (day: D) => number;

const sumBy =
  <D>(of: Of<D>) =>
  (days: readonly D[]): number =>
    days.reduce((sum, day) => sum + of(day), 0);

/** The ratio of two sums. Null if the divisor is zero. */
const rateBy = <D>(part: Of<D>, whole: Of<D>) => {
  const rate = (days: readonly D[]) => {
    const all = sumBy(whole)(days);
    return all === 0 ? null : sumBy(part)(days) / all;
  };
  return { total: rate, of: (day: D) => rate([day]) };
};

export const counts = <D>(name: string, of: Of<D>): Metric<D> => ({
  name,
  noun: name.toLowerCase(),
  of,
  total: sumBy(of),
  isWhole: true,
  format: orNone(formatCount),
  formatAxis: formatShort,
});

const inUsd = { isWhole: false, format: orNone(formatUsd), formatAxis: formatShortUsd };

export const dollars = <D>(name: string, of: Of<D>): Metric<D> => ({
  name,
  noun: name.toLowerCase(),
  of,
  total: sumBy(of),
  ...inUsd,
});

/** @param noun what `per` counts */
export const dollarsPer = <D>(name: string, of: Of<D>, per: Of<D>, noun: string): Metric<D> => ({
  name,
  noun,
  ...rateBy(of, per),
  ...inUsd,
});

/** @param noun what `part` counts */
export const share = <D>(name: string, part: Of<D>, whole: Of<D>, noun: string): Metric<D> => ({
  name,
  noun,
  ...rateBy(part, whole),
  isWhole: false,
  format: formatRate,
  formatAxis: formatShortPercent,
});
