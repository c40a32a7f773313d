import type { ComponentChildren } from 'preact';
import { utcDay } from '../../shared/platform/clock.ts';
import { Download, toFileName } from '../parts/download.tsx';
import { Problem } from '../parts/problem.tsx';
import { Chart, RangePicker } from './chart.tsx';
import type { Metric } from './metrics.ts';
import { type Period, PRESETS, USUAL_DAYS, useRange } from './range.ts';

interface FiguresProps<D> {
  /** The name of the downloaded file. */
  name: string;
  metrics: readonly Metric<NoInfer<D>>[];
  /** The days of the range in the page's URL. Null while they load. */
  days: readonly D[] | null;
  problem: string | null;
  loadCsv(period: Period): Promise<string>;
  /** Stands in for the chart if nothing happened in these days. */
  empty: ComponentChildren;
  /** Content below the chart. */
  below?: (days: readonly D[]) => ComponentChildren;
}

/** Totals and daily figures. Keeps its frame while days load, so that nothing moves. */
export function Figures<D extends { date: string }>({
  name,
  metrics,
  days,
  problem,
  loadCsv,
  empty,
  below,
}: FiguresProps<D>) {
  const { range, period, setRange } = useRange();
  const shown = metrics.filter(({ isOptional, total }) => !isOptional || (days !== null && total(days)));
  // Today by the service's clock: the last day of the report.
  const today = 'days' in range ? (days?.at(-1)?.date ?? period.to) : utcDay(Date.now());
  return (
    <section class="card" aria-label="Performance">
      <div class="card-head">
        <h2>Performance</h2>
        <RangePicker range={range} today={utcDay(Date.now())} onChange={setRange}>
          <Download file={toFileName(name, period)} load={() => loadCsv(period)} />
        </RangePicker>
      </div>
      <Problem text={problem} />
      <Chart metrics={shown} days={days} problem={problem} today={today} empty={empty} />
      {days && below?.(days)}
    </section>
  );
}

/** For days without figures: a way to others that may have some. */
export function NothingInRange() {
  const { range, setRange } = useRange();
  const days = PRESETS.find((preset) => preset >= USUAL_DAYS && (!('days' in range) || preset > range.days));
  return (
    <>
      <h3>Nothing in these days</h3>
      {days && (
        <button type="button" onClick={() => setRange({ days })}>
          Show the last {days} days
        </button>
      )}
    </>
  );
}
