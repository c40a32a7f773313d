import type { ComponentChildren } from 'preact';
import { listDates, utcDay } from '../../shared/platform/clock.ts';
import { lazyPart } from '../parts/deferred.tsx';
import { Download, toFileName } from '../parts/download.tsx';
import { useLive } from '../parts/live.ts';
import { Problem } from '../parts/problem.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { explainRows, toRows, toSeries, type ValueDay } from './breakdown-rows.ts';
import type { Metric } from './metrics.ts';
import { MAX_DAYS_BY_VALUE, type Period, useRange } from './range.ts';
import { type Order, parseOrder, SortedTable, type TableRow } from './sorted-table.tsx';

const Plot = lazyPart(() => import('./plot.tsx'), <div class="plot" />);

/** A breakdown reads up to fifty times as much as a report, so it is polled less often. */
const EVERY_MS = 5 * 60_000;

/** Values in the table until all are asked for. */
const SHOWN_FIRST = 10;

/** What figures are broken down by. */
export interface Dimension<B extends string> {
  by: B;
  name: string;
  /** Explains the value `none`. */
  none?: string;
}

interface BreakdownProps<B extends string, D extends ValueDay> {
  /** What is broken down: its ID, and the name of the downloaded file. */
  id: string;
  name: string;
  /** The first one is shown by default. */
  dimensions: readonly Dimension<B>[];
  metrics: readonly Metric<NoInfer<D>>[];
  load(by: B, period: Period): Promise<readonly D[]>;
  loadCsv(by: B, period: Period): Promise<string>;
  /** Follows the label of a value. */
  action?: (by: B, row: TableRow<D>) => ComponentChildren;
}

/** The figures of the chosen days by value of a dimension: a chart of the largest values, and a table of all. */
export function Breakdown<B extends string, D extends ValueDay>(properties: BreakdownProps<B, D>) {
  const { id, name, dimensions, metrics, load, loadCsv, action } = properties;
  const { period, by: wanted, sort, set, setRange } = useRange();
  const dimension = dimensions.find(({ by }) => by === wanted) ?? dimensions[0]!;
  const { by } = dimension;
  const order = parseOrder(sort, metrics);
  const isTooLong = listDates(period.from, period.to).length > MAX_DAYS_BY_VALUE;
  const about = [id, by, period.from, period.to].join(' ');
  const { value, problem } = useLive(
    async () => ({ about, rows: isTooLong ? [] : await load(by, period) }),
    [about],
    EVERY_MS,
  );
  // Hide the values of another dimension or range while these load.
  const days = value?.about === about ? value.rows : null;
  return (
    <section class="card" aria-label="Breakdown">
      <div class="card-head">
        <h2>Breakdown</h2>
        <label class="by">
          By
          <select
            value={by}
            onChange={({ currentTarget }) =>
              set({ by: currentTarget.value === dimensions[0]!.by ? '' : currentTarget.value })
            }
          >
            {dimensions.map((one) => (
              <option key={one.by} value={one.by}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        {!isTooLong && <Download file={toFileName(`${name} by ${by}`, period)} load={() => loadCsv(by, period)} />}
      </div>
      <Problem text={problem} />
      {isTooLong ? (
        <div class="plot empty">
          <h3>Choose at most {MAX_DAYS_BY_VALUE} days</h3>
          <p>A breakdown covers fewer days than the figures above.</p>
          <button type="button" onClick={() => setRange({ days: 90 })}>
            Show the last 90 days
          </button>
        </div>
      ) : days ? (
        <Values
          days={days}
          dimension={dimension}
          metrics={metrics}
          order={order}
          period={period}
          onOrder={(chosen) => set({ sort: chosen })}
          action={action && ((row) => action(by, row))}
        />
      ) : (
        problem === null && (
          <>
            <div class="plot" />
            <Skeleton of="the breakdown" as="rows" lines={6} />
          </>
        )
      )}
    </section>
  );
}

interface ValuesProps<D> {
  days: readonly D[];
  dimension: Dimension<string>;
  metrics: readonly Metric<D>[];
  order: Order<D>;
  period: Period;
  onOrder(order: string): void;
  action?: ((row: TableRow<D>) => ComponentChildren) | undefined;
}

function Values<D extends ValueDay>({ days, dimension, metrics, order, period, onOrder, action }: ValuesProps<D>) {
  if (days.length === 0) {
    return (
      <div class="plot empty">
        <p>Nothing to break down in these days.</p>
      </div>
    );
  }
  const rows = toRows(days);
  const today = utcDay(Date.now());
  const dates = listDates(period.from, period.to < today ? period.to : today);
  const plotted = order.metric ?? metrics[0]!;
  const series = toSeries(rows, dates, plotted, metrics[0]!);
  return (
    <>
      {plotted.total(days) ? (
        <>
          <ul class="legend" aria-hidden="true">
            {series.map(({ name, color }) => (
              <li key={color}>
                <span class="swatch" style={{ background: `var(${color})` }} />
                <bdi>{name}</bdi>
              </li>
            ))}
          </ul>
          <Plot
            title={`${plotted.name} by day and ${dimension.name.toLowerCase()}. The table below has the totals.`}
            dates={dates}
            series={series}
            today={today}
            metric={plotted}
          />
        </>
      ) : (
        <div class="plot empty">
          <p>No {plotted.noun} in these days.</p>
        </div>
      )}
      <SortedTable
        label={`Performance by ${dimension.name.toLowerCase()}`}
        of={dimension.name}
        metrics={metrics}
        rows={rows}
        order={order}
        onOrder={onOrder}
        shownFirst={SHOWN_FIRST}
        head={({ name }) => <bdi>{name}</bdi>}
        action={action}
      />
      {explainRows(rows, dimension.none).map((text) => (
        <small key={text} class="explained">
          {text}
        </small>
      ))}
    </>
  );
}
