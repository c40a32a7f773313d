import {
  formatCount,
  formatPercent,
  formatRate,
  formatShort,
  formatShortPercent,
  formatShortTimes,
  formatShortUsd,
  formatTimes,
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
  /** Whether the total is the sum of the days. Otherwise it is a ratio. */
  isSum: boolean;
  isWhole: boolean;
  /** Left out of days in which it is zero. */
  isOptional?: true;
  format(value: number | null): string;
  /** Formats a label of the value axis. @param step the distance between two labels */
  formatAxis(value: number, step: number): string;
}

/** The metric's name in the page's URL: "cost-per-click". */
export const toParam = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

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
  return { total: rate, of: (day: D) => rate([day]), isSum: false };
};

export const counts = <D>(name: string, of: Of<D>): Metric<D> => ({
  name,
  noun: name.toLowerCase(),
  of,
  total: sumBy(of),
  isSum: true,
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
  isSum: true,
  ...inUsd,
});

/** An amount that others report: a dash stands for none, because they may have reported nothing. */
export const reportedDollars = <D>(name: string, of: Of<D>): Metric<D> => ({
  ...dollars(name, of),
  format: (amount) => orNone(formatUsd)(amount || null),
});

/** How many times the whole a reported part is; a dash for none. @param noun what there was none of */
export const times = <D>(name: string, part: Of<D>, whole: Of<D>, noun: string): Metric<D> => ({
  name,
  noun,
  ...rateBy(part, whole),
  isWhole: false,
  format: (ratio) => orNone(formatTimes)(ratio || null),
  formatAxis: formatShortTimes,
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

/** What readers reported. During a rollout, the previous version responds without it. */
export function notRelevant<D extends { impressions: number; notRelevant?: number }>(): Metric<D>[] {
  const of = ({ notRelevant: count = 0 }: D) => count;
  const about = 'Readers who said that an ad was not relevant';
  return [
    { ...counts('Not relevant', of), noun: 'such reports', fullName: about },
    {
      ...share('Not relevant rate', of, ({ impressions }: D) => impressions, 'impressions'),
      fullName: `${about}, of all impressions`,
      format: orNone((rate) => formatPercent(rate, 2)),
    },
  ];
}

interface Trust {
  impressions: number;
  viewableImpressions?: number;
  suspectClicks?: { tooFast: number; tooMany: number };
}

/** How much of what counts deserves trust. Optional, because few publishers report what was visible, and most clicks are fine. */
export const trust = <D extends Trust>(): Metric<D>[] => [
  {
    ...share(
      'Viewable',
      ({ viewableImpressions = 0 }: D) => viewableImpressions,
      ({ impressions }) => impressions,
      'impressions',
    ),
    fullName: 'Impressions reported as half visible for one second, of all impressions',
    isOptional: true,
  },
  {
    ...counts(
      'Suspect clicks',
      ({ suspectClicks: { tooFast, tooMany } = { tooFast: 0, tooMany: 0 } }: D) => tooFast + tooMany,
    ),
    fullName:
      'Clicks within 300 ms of the ad, or more than 30 a minute from one truncated address. The clicks include them',
    isOptional: true,
  },
];
