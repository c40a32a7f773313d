import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount, formatPercent } from '../format.ts';
import { Bar } from '../parts/bar.tsx';
import { type Metric, toParam } from './metrics.ts';

export interface TableRow<D> {
  key: string;
  /** Its text, by which the rows are sorted by name. */
  name: string;
  counts: readonly D[];
  /** Whether it stands for several values or for none: such rows come last, always in the same order. */
  isRest?: boolean;
}

/** The order of the rows: by a metric, or by name if it is null. */
export interface Order<D> {
  metric: Metric<D> | null;
  isDescending: boolean;
}

const NAME = 'name';

/** Parses an order such as `-spend`. Defaults to the first metric, descending. */
export function parseOrder<D>(text: string, metrics: readonly Metric<D>[]): Order<D> {
  const wanted = text.replace(/^-/, '');
  const isDescending = text.startsWith('-');
  if (wanted === NAME) return { metric: null, isDescending };
  const metric = metrics.find(({ name }) => toParam(name) === wanted);
  return metric ? { metric, isDescending } : { metric: metrics[0]!, isDescending: true };
}

/** The order after a click on a column: numbers are sorted in descending order first. */
function formatOrder<D>(metric: Metric<D> | null, { metric: now, isDescending }: Order<D>, first: Metric<D>): string {
  const isNext = now === metric ? !isDescending : metric !== null;
  if (metric === first && isNext) return '';
  return `${isNext ? '-' : ''}${metric ? toParam(metric.name) : NAME}`;
}

/** Sorts rows. A row without a value, such as a rate without impressions, comes after those with one. */
export function sortRows<D>(rows: readonly TableRow<D>[], { metric, isDescending }: Order<D>): TableRow<D>[] {
  const keyOf = ({ name, counts }: TableRow<D>) => (metric ? metric.total(counts) : name.toLocaleLowerCase());
  return rows
    .map((row) => ({ row, value: keyOf(row) }))
    .sort((a, b) => {
      const rest = Number(a.row.isRest ?? false) - Number(b.row.isRest ?? false);
      if (rest !== 0) return rest;
      if (a.row.isRest) return a.row.key < b.row.key ? -1 : 1;
      if (a.value === b.value) return 0;
      if (a.value === null || b.value === null) return a.value === null ? 1 : -1;
      return a.value < b.value === isDescending ? 1 : -1;
    })
    .map(({ row }) => row);
}

interface SortedTableProps<D> {
  /** Names the table. */
  label: string;
  /** What a row is. */
  of: string;
  metrics: readonly Metric<D>[];
  rows: readonly TableRow<D>[];
  order: Order<D>;
  onOrder(order: string): void;
  /** Rows that are shown at first, in addition to those that stand for several values or for none. */
  shownFirst: number;
  /** The name of a row. */
  head(row: TableRow<D>): ComponentChildren;
  action?: ((row: TableRow<D>) => ComponentChildren) | undefined;
}

/** Rows with the same metrics, the share of each in what they are sorted by, and their total. */
export function SortedTable<D>({
  label,
  of,
  metrics,
  rows,
  order,
  onOrder,
  shownFirst,
  head,
  action,
}: SortedTableProps<D>) {
  const [isWhole, setWhole] = useState(false);
  const all = rows.flatMap(({ counts }) => counts);
  const shared = order.metric?.isSum ? order.metric : metrics[0]!;
  const whole = shared.total(all) ?? 0;
  const sorted = sortRows(rows, order);
  const own = sorted.filter(({ isRest }) => !isRest).length;
  const shown = isWhole ? sorted : sorted.filter(({ isRest }, place) => isRest || place < shownFirst);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      <section class="scroll" aria-label={label} tabIndex={0}>
        <table class="figures sorted">
          <thead>
            <tr>
              {[null, ...metrics].map((metric) => {
                const isSorted = order.metric === metric;
                return (
                  <th
                    key={metric?.name}
                    scope="col"
                    class={metric ? 'number' : ''}
                    title={metric?.fullName}
                    aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : undefined}
                  >
                    <button type="button" class="sort" onClick={() => onOrder(formatOrder(metric, order, metrics[0]!))}>
                      {metric?.name ?? of}
                      {isSorted && <span aria-hidden="true"> {order.isDescending ? '↓' : '↑'}</span>}
                    </button>
                    {!metric && (
                      <small class="below" aria-hidden="true">
                        Share of {shared.name.toLowerCase()}
                      </small>
                    )}
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => {
              const part = shared.total(row.counts) ?? 0;
              return (
                <tr key={row.key}>
                  <th scope="row">
                    <span class="row-name">{head(row)}</span>
                    <span class="part">
                      <Bar label={`${shared.name} of ${row.name}`} part={part} whole={whole} />
                      <small aria-hidden="true">{whole > 0 && formatPercent(part / whole)}</small>
                      {action?.(row)}
                    </span>
                  </th>
                  {metrics.map(({ name, total, format }) => (
                    <td key={name} class="number">
                      {format(total(row.counts))}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              {metrics.map(({ name, total, format }) => (
                <td key={name} class="number">
                  {format(total(all))}
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </section>
      {own > shownFirst && (
        <button type="button" class="small after" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${formatCount(own)}`}
        </button>
      )}
    </>
  );
}
