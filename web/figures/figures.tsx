import type { ComponentChildren } from 'preact';
import {
  formatCount,
  formatRate,
  formatShort,
  formatShortPercent,
  formatShortUsd,
  formatUsd,
  orNone,
} from '../format.ts';
import { Download } from '../parts/download.tsx';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Chart, type Metric, RangePicker, rateBy, sumBy } from './chart.tsx';
import { type Period, useRange, utcDate } from './range.ts';

type Of<D> = (day: D) => number;

export const counts = <D,>(name: string, of: Of<D>): Metric<D> => ({
  name,
  of,
  total: sumBy(of),
  isWhole: true,
  format: orNone(formatCount),
  formatAxis: formatShort,
});

const inUsd = { isWhole: false, format: orNone(formatUsd), formatAxis: formatShortUsd };
export const dollars = <D,>(name: string, of: Of<D>): Metric<D> => ({ name, of, total: sumBy(of), ...inUsd });
export const dollarsPer = <D,>(name: string, of: Of<D>, per: Of<D>): Metric<D> => ({
  name,
  ...rateBy(of, per),
  ...inUsd,
});

export const share = <D,>(name: string, part: Of<D>, whole: Of<D>): Metric<D> => ({
  name,
  ...rateBy(part, whole),
  isWhole: false,
  format: formatRate,
  formatAxis: formatShortPercent,
});

interface FiguresProps<D> {
  /** The name of the downloaded file. */
  name: string;
  metrics: readonly Metric<D>[];
  /** The days of the range in the page's URL. Null while they load. */
  days: readonly D[] | null;
  problem: string | null;
  loadCsv(period: Period): Promise<string>;
  /** Content below the chart. */
  below?: (days: readonly D[]) => ComponentChildren;
}

/** Totals and daily figures. */
export function Figures<D extends { date: string }>({ name, metrics, days, problem, loadCsv, below }: FiguresProps<D>) {
  const { range, period, setRange } = useRange();
  // Today by the service's clock: the last day of the report.
  const today = 'days' in range ? (days?.at(-1)?.date ?? period.to) : utcDate(Date.now());
  return (
    <section class="card" aria-label="Performance">
      <div class="card-head">
        <h2>Performance</h2>
        <RangePicker range={range} today={utcDate(Date.now())} onChange={setRange}>
          <Download
            file={`${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}-${period.from}-${period.to}.csv`}
            load={() => loadCsv(period)}
          />
        </RangePicker>
      </div>
      <Problem text={problem} />
      {days && <Chart metrics={metrics} days={days} today={today} />}
      {!days && !problem && <Skeleton of="figures" lines={5} />}
      {days && below?.(days)}
    </section>
  );
}
