import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
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
import { useLive } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Chart, type Metric, RangePicker, rateBy, sumBy } from './chart.tsx';
import { type Period, parseRange, type Range, toPeriod, toQuery, utcDate } from './range.ts';

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
  /** The ID, and the name for the file. */
  of: { id: string; name: string };
  metrics: readonly Metric<D>[];
  load(period: Period): Promise<D[]>;
  loadCsv(period: Period): Promise<string>;
  /** Content below the chart. */
  below?: (days: readonly D[]) => ComponentChildren;
}

/** Totals and daily figures. */
export function Figures<D extends { date: string }>({
  of: { id, name },
  metrics,
  load,
  loadCsv,
  below,
}: FiguresProps<D>) {
  const { path, query, route } = useLocation();
  const range = parseRange(query);
  const setRange = (chosen: Range) => route(path + toQuery(chosen), true);
  const period = toPeriod(range, Date.now());
  const about = `${id} ${period.from} ${period.to}`;
  const { value, problem } = useLive(async () => ({ about, days: await load(period) }), [about]);
  // Hide figures of another range while these load.
  const days = value?.about === about ? value.days : null;
  // Today by the service's clock: the last day of the report.
  const today = 'days' in range ? (days?.at(-1)?.date ?? period.to) : utcDate(Date.now());
  return (
    <section class="card" aria-label="Figures">
      <div class="card-head">
        <h2>Figures</h2>
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
