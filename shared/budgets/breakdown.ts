import type { BreakdownDay } from '../platform/breakdowns.ts';
import { type Amounts, addedUp } from '../platform/count-once.ts';
import { type Dimension, NONE, OTHER, UNATTRIBUTED } from '../platform/values/dimensions.ts';

/** Values with rows of their own. */
const MAX_VALUES = 50;

/** The counts of a day and value. */
export interface BreakdownRow {
  date: string;
  value: string;
  counts: Amounts;
}

/**
 * The rows of a breakdown by day: the values with the most impressions in the period, the others together, and what the breakdown lacks of
 * the report's totals, because it was counted before breakdowns were, or is not counted yet. So the rows add up to the totals.
 * @param totals by date, with the names of all counts. Read them after the breakdown. It can still be ahead of them for seconds, because a conversion is added to both at the same time
 * @param toShown converts a value to the one that the report shows
 */
export function toBreakdownRows(
  days: readonly BreakdownDay[],
  totals: ReadonlyMap<string, Amounts>,
  toShown = (value: string): string => value,
): BreakdownRow[] {
  const daysByDate = new Map(days.map(({ date, values }) => [date, values]));
  const named = findLargest(days, toShown);
  return [...totals].flatMap(([date, total]): BreakdownRow[] => {
    const values = daysByDate.get(date) ?? new Map<string, Amounts>();
    const own = named.map((value) => ({ date, value, counts: values.get(value) ?? {} }));
    const others = [...values].filter(([value]) => !named.includes(value)).map(([, counts]) => ({ counts }));
    const attributed = addedUp([...own, ...others]);
    const rest = Object.entries(total).map(([name, count]) => [name, Math.max(0, count - (attributed[name] ?? 0))]);
    const rows: BreakdownRow[] = [
      ...own,
      { date, value: OTHER, counts: addedUp(others) },
      { date, value: UNATTRIBUTED, counts: Object.fromEntries(rest) },
    ];
    return rows.filter(({ counts }) => Object.values(counts).some((count) => count > 0));
  });
}

/**
 * The values with the most impressions. Values without any rank by their other counts, and ties by what is shown: the order of hidden values
 * would be the same in the reports of all advertisers, who could match their publishers by it.
 */
function findLargest(days: readonly BreakdownDay[], toShown: (value: string) => string): string[] {
  const sums = new Map<string, Amounts>();
  for (const { values } of days)
    for (const [value, counts] of values) sums.set(value, addedUp([{ counts: sums.get(value) ?? {} }, { counts }]));
  sums.delete(OTHER);
  return [...sums]
    .map(([value, counts]) => ({ value, counts, shown: toShown(value) }))
    .sort((a, b) => {
      const getMore = (name: string) => (b.counts[name] ?? 0) - (a.counts[name] ?? 0);
      return getMore('impressions') || getMore('bids') || getMore('clicks') || (a.shown < b.shown ? -1 : 1);
    })
    .slice(0, MAX_VALUES)
    .map(({ value }) => value);
}

/** How people read a value that stands for none or for several; undefined for any other value. */
export function labelReserved(by: Dimension, value: string): string | undefined {
  if (value === OTHER) return 'Other';
  if (value === UNATTRIBUTED) return 'Unattributed';
  if (value === NONE) return by === 'topic' || by === 'variant' ? 'None' : 'Unknown';
  return undefined;
}
