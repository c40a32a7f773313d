import { NONE, OTHER, UNATTRIBUTED } from '../../shared/platform/values/dimensions.ts';
import type { Metric } from './metrics.ts';
import type { Series } from './plot.tsx';
import { sortRows, type TableRow } from './sorted-table.tsx';

/** A day and value of a breakdown. */
export interface ValueDay {
  date: string;
  value: string;
  label: string;
}

/** A row of the table for each value. */
export function toRows<D extends ValueDay>(days: readonly D[]): TableRow<D>[] {
  const rows = new Map<string, TableRow<D> & { counts: D[] }>();
  for (const day of days) {
    const { value, label } = day;
    const row = rows.get(value) ?? {
      key: value,
      name: label,
      counts: [],
      isRest: [OTHER, UNATTRIBUTED].includes(value),
    };
    row.counts.push(day);
    rows.set(value, row);
  }
  return [...rows.values()];
}

const EXPLAINED: Readonly<Record<string, string>> = {
  [OTHER]: 'Other: all values after the 50 with the most impressions.',
  [UNATTRIBUTED]: 'Unattributed: counted before this breakdown existed, or in the last minutes.',
};

/** Explains the rows that stand for several values or for none. @param none explains the value `none` */
export function explainRows(rows: readonly TableRow<unknown>[], none?: string): string[] {
  const all = Object.entries({ [NONE]: none, ...EXPLAINED });
  return all.flatMap(([value, text]) => (text && rows.some(({ key }) => key === value) ? [text] : []));
}

/** Values with a color of their own. */
const COLORS = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5'];
const REST_COLOR = '--series-rest';

/**
 * The largest values, and all others together. For a ratio, the `size` of values decides, because ratios of small ones vary by chance, and
 * the ratio of all others would say nothing.
 */
export function toSeries<D extends ValueDay>(
  rows: readonly TableRow<D>[],
  dates: readonly string[],
  metric: Metric<D>,
  size: Metric<D>,
): Series[] {
  const sorted = sortRows(rows, { metric: metric.isSum ? metric : size, isDescending: true });
  const own = sorted.filter(({ isRest }) => !isRest).slice(0, COLORS.length);
  const rest = sorted.filter((row) => !own.includes(row));
  const toOne = (name: string, color: string, counts: readonly D[]): Series => ({
    name,
    color,
    values: dates.map((date) => metric.total(counts.filter((day) => day.date === date))),
  });
  return [
    ...own.map(({ name, counts }, place) => toOne(name, COLORS[place]!, counts)),
    ...(metric.isSum && rest.length > 0
      ? [
          toOne(
            rest.length === 1 ? rest[0]!.name : 'All others',
            REST_COLOR,
            rest.flatMap(({ counts }) => counts),
          ),
        ]
      : []),
  ];
}
