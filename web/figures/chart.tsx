import type { ComponentChildren } from 'preact';
import { lazyPart } from '../parts/deferred.tsx';
import { Value } from '../parts/skeleton.tsx';
import { type Metric, toParam } from './metrics.ts';
import { earliest, isDay, PRESETS, type Range, toPeriod, useRange } from './range.ts';

const Plot = lazyPart(() => import('./plot.tsx'), <div class="plot" />);

interface ChartProps<D> {
  metrics: readonly Metric<D>[];
  /** Null while they load. */
  days: readonly D[] | null;
  problem: string | null;
  today: string;
  /** Stands in for the chart if nothing happened in these days. */
  empty: ComponentChildren;
}

/** The totals of all metrics, and a daily chart of the selected one. */
export function Chart<D extends { date: string }>({ metrics, days, problem, today, empty }: ChartProps<D>) {
  const { period, metric: wanted, set } = useRange();
  const metric = metrics.find(({ name }) => toParam(name) === wanted) ?? metrics[0]!;
  const isExpected = days !== null || problem === null;
  const isEmpty = days !== null && metrics.every(({ total }) => !total(days));
  const isWithoutColumns = days !== null && !metric.total(days);
  const totals = metrics.map(({ total, format }) => days && format(total(days)));
  const digits = Math.max(...totals.map((text) => text?.length ?? 0));
  return (
    <>
      <fieldset class="tiles" style={{ '--digits': digits }} aria-label="Metrics" aria-busy={!days && problem === null}>
        {metrics.map(({ name, fullName }, index) => (
          <button
            key={name}
            type="button"
            class="tile"
            title={fullName}
            aria-pressed={name === metric.name}
            onClick={() => set({ metric: index === 0 ? '' : toParam(name) })}
          >
            <span>{name}</span>
            <strong>
              <Value text={totals[index] ?? null} problem={problem} />
            </strong>
          </button>
        ))}
      </fieldset>
      {isEmpty ? (
        <div class="plot empty">{empty}</div>
      ) : isWithoutColumns ? (
        <div class="plot empty">
          <p>No {metric.noun} in these days.</p>
        </div>
      ) : (
        isExpected && (
          <Plot
            title={`${metric.name} by day. The table below has the numbers.`}
            dates={(days ?? []).map(({ date }) => date)}
            series={[{ name: metric.name, color: '--accent', values: (days ?? []).map(metric.of) }]}
            today={today}
            metric={metric}
          />
        )
      )}
      {isExpected && !isEmpty && (
        <>
          {!isWithoutColumns && (days?.at(-1)?.date ?? period.to) === today && (
            <small class="unfinished">Today (UTC) is not over yet, so its column is faded.</small>
          )}
          <DayTable metrics={metrics} days={days ?? []} today={today} />
        </>
      )}
    </>
  );
}

interface DayTableProps<D> {
  metrics: readonly Metric<D>[];
  days: readonly D[];
  today: string;
}

function DayTable<D extends { date: string }>({ metrics, days, today }: DayTableProps<D>) {
  return (
    <details class="days">
      <summary>Day by day</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      <section class="scroll" aria-label="Performance by day" tabIndex={0}>
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              {metrics.map(({ name, fullName }) => (
                <th key={name} scope="col" class="number" title={fullName}>
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
  const start = () => onChange(own ?? toPeriod({ days: CUSTOM_DAYS }, Date.parse(today)));
  /** Changes one end. If the ends would be in the wrong order, the other end follows. A year that is being typed starts as 0002. */
  const change = (end: 'from' | 'to', typed: string) => {
    if (!own || !isDay(typed)) return;
    const day = typed < today ? typed : today;
    const other = end === 'from' ? 'to' : 'from';
    const isInOrder = end === 'from' ? day <= own.to : day >= own.from;
    onChange({ ...own, [end]: day, ...(!isInOrder && { [other]: day }) });
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
        <button type="button" aria-pressed={own !== null} onClick={start}>
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
            onChange={({ currentTarget }) => change('from', currentTarget.value)}
          />
          <input
            type="date"
            aria-label="Last day"
            value={own.to}
            max={today}
            onChange={({ currentTarget }) => change('to', currentTarget.value)}
          />
        </span>
      )}
      {children}
    </div>
  );
}
