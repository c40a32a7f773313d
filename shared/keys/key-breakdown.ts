import type * as z from 'zod';
import { type BreakdownRow, labelReserved, toBreakdownRows } from '../budgets/breakdown.ts';
import { readBreakdown } from '../platform/breakdowns.ts';
import type { Effects } from '../platform/effects.ts';
import { nameCountry } from '../platform/values/countries.ts';
import { type Micros, micros, takeShare, toUsd } from '../platform/values/money.ts';
import { getCharges, readKeyDays } from './key-report.ts';
import type { keyBreakdownResponse } from './key-response.ts';

type Row = z.output<typeof keyBreakdownResponse>;

/** The columns of a CSV report. */
export const KEY_BREAKDOWN_COLUMNS: readonly (keyof Row)[] = [
  'date',
  'by',
  'value',
  'label',
  'bids',
  'impressions',
  'clicks',
  'earnings',
];

/** Breaks a key's report down by a dimension. */
export async function breakDownKey(
  effects: Pick<Effects, 'db'>,
  keyId: string,
  by: Row['by'],
  from: string,
  to: string,
): Promise<Row[]> {
  const days = await readBreakdown(effects, { keyId }, by, from, to);
  const totals = await readKeyDays(effects, keyId, from, to);
  const counts = [...totals].map(([date, row]) => {
    const charges = Object.fromEntries(getCharges(row).map(({ name, charged }) => [name, charged]));
    return [
      date,
      { bids: row.bids ?? 0, impressions: row.impressions ?? 0, clicks: row.clicks ?? 0, ...charges },
    ] as const;
  });
  const getEarnings = createEarnings();
  return toBreakdownRows(days, new Map(counts)).map((row) => {
    const { date, value, counts } = row;
    const { bids = 0, impressions = 0, clicks = 0 } = counts;
    const label = labelReserved(by, value) ?? (by === 'country' ? nameCountry(value) : value);
    return { date, by, value, label, bids, impressions, clicks, earnings: toUsd(getEarnings(row)) };
  });
}

/**
 * Returns a function that divides the earnings of days among their rows, in order. A day's earnings are rounded down once per share; if each
 * row were rounded down, the rows would add up to less. So a row gets what its charges add to the rounded sum.
 */
function createEarnings(): (row: BreakdownRow) => Micros {
  const chargedBefore = new Map<string, number>();
  return ({ date, counts }) => {
    let earnings = 0;
    for (const { name, charged, share } of getCharges(counts)) {
      const before = chargedBefore.get(`${date} ${name}`) ?? 0;
      chargedBefore.set(`${date} ${name}`, before + charged);
      earnings += takeShare(micros(before + charged), share) - takeShare(micros(before), share);
    }
    return micros(earnings);
  };
}
