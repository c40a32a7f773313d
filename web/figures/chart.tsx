import type { ComponentChildren } from 'preact';
import { Deferred, lazyPart } from '../parts/deferred.tsx';
import { earliest, PRESETS, type Range, toPeriod, useRange } from './range.ts';

const Plot = lazyPart(() => import('./plot.tsx'));

/** A daily metric. */
export interface Metric<D> {
  name: string;
  of(day: D): number | null;
  /** The total of several days: a rate is not a sum. */
  total(days: readonly D[]): number | null;
  isWhole: boolean;
  format(value: number | null): string;
  formatAxis(value: number): string;
}

export const sumBy =
  <D,>(of: (day: D) => number) =>
  (days: readonly D[]): number =>
    days.reduce((sum, day) => sum + of(day), 0);

/** The ratio of two sums. Null if the divisor is zero. */
export const rateBy = <D,>(part: (day: D) => number, whole: (day: D) => number) => {
  const rate = (days: readonly D[]) => {
    const all = sumBy(whole)(days);
    return all === 0 ? null : sumBy(part)(days) / all;
  };
  return { total: rate, of: (day: D) => rate([day]) };
};

/** The metric's name in the page's URL: "cost-per-click". */
const toParam = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

interface ChartProps<D> {
  metrics: readonly Metric<D>[];
  days: readonly D[];
  today: string;
}

/** The totals of all metrics, and a daily chart of the selected one. */
export function Chart<D extends { date: string }>({ metrics, days, today }: ChartProps<D>) {
  const { metric: wanted, setMetric } = useRange();
  const metric = metrics.find(({ name }) => toParam(name) === wanted) ?? metrics[0]!;
  return (
    <>
      <fieldset class="tiles" aria-label="Metrics">
        {metrics.map(({ name, total, format }, index) => (
          <button
            key={name}
            type="button"
            class="tile"
            aria-pressed={name === metric.name}
            onClick={() => setMetric(index === 0 ? '' : toParam(name))}
          >
            <span>{name}</span>
            <strong>{format(total(days))}</strong>
          </button>
        ))}
      </fieldset>
      <div class="plot-place">
        <Deferred>
          <Plot
            title={metric.name}
            days={days.map((day) => ({ date: day.date, value: metric.of(day) }))}
            today={today}
            isWhole={metric.isWhole}
            format={metric.format}
            formatAxis={metric.formatAxis}
          />
        </Deferred>
      </div>
      {days.at(-1)?.date === today && (
        <small class="unfinished">Today (UTC) is not over yet, so its column is lighter.</small>
      )}
      <DayTable metrics={metrics} days={days} today={today} />
    </>
  );
}

function DayTable<D extends { date: string }>({ metrics, days, today }: ChartProps<D>) {
  return (
    <details class="days">
      <summary>Day by day</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      <section class="scroll" aria-label="Performance by day" tabIndex={0}>
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              {metrics.map(({ name }) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => (
              <tr key={day.date}>
                <th scope="row">
                  {day.date}
                  {day.date === today && <small> so far</small>}
                </th>
                {metrics.map(({ name, of, format }) => (
                  <td key={name} class="number">
                    {format(of(day))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

interface RangePickerProps {
  range: Range;
  today: string;
  onChange(range: Range): void;
  children?: ComponentChildren;
}

/** A custom range starts with the last two weeks. */
const CUSTOM_DAYS = 14;

/** Selects the last days, or a range from one day to another. */
export function RangePicker({ range, today, onChange, children }: RangePickerProps) {
  const own = 'days' in range ? null : range;
  const change = (part: { from?: string; to?: string }) => {
    const { from, to } = { ...(own ?? toPeriod({ days: CUSTOM_DAYS }, Date.parse(today))), ...part };
    if (from && to) onChange(from <= to ? { from, to } : { from: to, to: from });
  };
  return (
    <div class="tools">
      <fieldset class="choice" aria-label="Days">
        {PRESETS.map((days) => (
          <button
            key={days}
            type="button"
            aria-pressed={'days' in range && range.days === days}
            onClick={() => onChange({ days })}
          >
            {days} days
          </button>
        ))}
        <button type="button" aria-pressed={own !== null} onClick={() => change({})}>
          Custom
        </button>
      </fieldset>
      {own && (
        <span class="dates">
          <input
            type="date"
            aria-label="First day"
            value={own.from}
            min={earliest(own.to)}
            max={today}
            onChange={({ currentTarget }) => change({ from: currentTarget.value })}
          />
          <input
            type="date"
            aria-label="Last day"
            value={own.to}
            max={today}
            onChange={({ currentTarget }) => change({ to: currentTarget.value })}
          />
        </span>
      )}
      {children}
    </div>
  );
}
