import { DAY_MS, utcDay } from '../platform/clock.ts';
import { type Amounts, addends, endedPositions, type PositionName } from '../platform/count-once.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import type { Key } from '../platform/items.ts';
import { cappedMicros, type Micros, micros } from '../platform/values/money.ts';
import { type Balance, getPendingDay } from './balance.ts';
import { DAY_COUNTS, type DayCount, type LedgerDay } from './day-counts.ts';

/** Clicks and conversions since the campaign was created, as counted from the streams, and when the last ones arrived. */
export interface PerformanceTotals {
  clicks: number;
  /** Clicks whose impression was charged. */
  chargedClicks: number;
  conversions: number;
  /** Conversions whose impression was charged before the conversion was recorded. */
  chargedConversions: number;
  /** Total value of the conversions in USD. */
  conversionValue: Micros;
  /** Epoch milliseconds: the last conversion that counts, and the last test. Absent if there was none since they are recorded. */
  lastConversionAt?: number;
  lastTestConversionAt?: number;
  /** Impressions that their readers found not relevant. */
  notRelevant: number;
  /** Impressions that were visible long enough, as the clients reported. */
  viewableImpressions: number;
  /** Suspect clicks by reason. They are also among the clicks. */
  tooFastClicks: number;
  tooManyClicks: number;
}

/** A count of a day in the totals row, such as `clicks_20261120`. */
type OpenCount = `${DayCount}_${string}`;

/**
 * A row of counts: the totals or one day. An attribute is absent until something was counted. The totals row also contains the counts of
 * recent days, so that counting takes one write, and the positions in the streams. `compactTotals` moves day counts to the rows of their
 * days. Some counts of the last day with a charge are in the balance.
 */
export interface CountsRow extends Partial<Omit<LedgerDay, 'date'>> {
  campaignId: string;
  row: 'total' | `day#${string}`;
  /** Clicks on impressions that are not charged yet. */
  unchargedClicks?: number;
  /** Conversions recorded before their impression was charged, or whose impression was never charged. */
  unchargedConversions?: number;
  /** In the totals row, epoch milliseconds. */
  lastConversionAt?: number;
  lastTestConversionAt?: number;
  /** In the row of a day: set once the balance's counts were moved here. */
  folded?: boolean;
  [open: OpenCount]: number;
  [position: PositionName]: string;
}

export const isTotals = (item: { row: string }): item is CountsRow => item.row === 'total';

/** The totals row of a campaign. */
export const totalRow = (campaignId: string) =>
  ({ table: 'ledgers', key: { campaignId, row: 'total' } }) as const satisfies {
    table: 'ledgers';
    key: Key<'ledgers'>;
  };

/** The amounts that a click, conversion, or charge adds to the totals row. @param day UTC day */
export const toCounts = (day: string, ofDay: Partial<Record<DayCount, number>>, inTotal: Amounts): Amounts => ({
  ...inTotal,
  ...Object.fromEntries(Object.entries(ofDay).map(([name, count]) => [`${name}_${day.replaceAll('-', '')}`, count])),
});

/** Day counts that are still in the totals row, by date. */
export type OpenDays = ReadonlyMap<string, Partial<Record<DayCount, number>>>;

export function getOpenDays(row: object = {}): OpenDays {
  const days = new Map<string, Partial<Record<DayCount, number>>>();
  for (const [attribute, count] of Object.entries(row)) {
    const [, name, year, month, day] = OPEN_COUNT.exec(attribute) ?? [];
    if (name === undefined) continue;
    const date = `${year}-${month}-${day}`;
    days.set(date, { ...days.get(date), [name]: Math.min(Number(count), Number.MAX_SAFE_INTEGER) });
  }
  return days;
}

const OPEN_COUNT = new RegExp(`^(${DAY_COUNTS.join('|')})_(\\d{4})(\\d\\d)(\\d\\d)$`);

/**
 * Derives the totals of a campaign. The row counts uncharged clicks, not charged ones: totals counted by earlier versions then read as all
 * charged, and a usual click, which follows its charge, needs no further write. A click counted by an earlier version and charged later
 * subtracts one too many; the lower bound of zero hides this. A conversion is classified once, when it is recorded; a later charge does not
 * change it.
 */
export function toTotals({
  clicks = 0,
  unchargedClicks = 0,
  conversions = 0,
  unchargedConversions = 0,
  conversionValue = micros(0),
  lastConversionAt,
  lastTestConversionAt,
  notRelevant = 0,
  viewableImpressions = 0,
  tooFastClicks = 0,
  tooManyClicks = 0,
}: Partial<CountsRow> = {}): PerformanceTotals {
  return {
    clicks,
    chargedClicks: clicks - Math.max(0, unchargedClicks),
    conversions,
    chargedConversions: conversions - unchargedConversions,
    conversionValue: cappedMicros(conversionValue),
    lastConversionAt,
    lastTestConversionAt,
    notRelevant,
    viewableImpressions,
    tooFastClicks,
    tooManyClicks,
  };
}

/**
 * Adds up a day from its row, the balance, and the totals row. Read the balance before the row: if the balance's counts moved in between,
 * the row is `folded` and contains them.
 */
export function toLedgerDay(
  date: string,
  row: Partial<CountsRow> = {},
  balance?: Balance,
  openDays?: OpenDays,
): LedgerDay {
  const { dayImpressions = 0, daySpend = 0 } = !row.folded && getPendingDay(balance) === date ? balance! : {};
  const open = openDays?.get(date) ?? {};
  const sum = (name: DayCount): number => (row[name] ?? 0) + (open[name] ?? 0);
  return {
    date,
    impressions: sum('impressions') + dayImpressions,
    clicks: sum('clicks'),
    conversions: sum('conversions'),
    spend: micros(sum('spend') + daySpend),
    conversionValue: cappedMicros(sum('conversionValue')),
    notRelevant: sum('notRelevant'),
    viewableImpressions: sum('viewableImpressions'),
    tooFastClicks: sum('tooFastClicks'),
    tooManyClicks: sum('tooManyClicks'),
  };
}

const isCapped = (count: number): boolean => count === Number.MAX_SAFE_INTEGER;

/** The date of a day's row. */
export const toDate = (row: CountsRow['row']): string => row.slice('day#'.length);

/** Ended entries that may stay in a totals row, because removing them costs more than one count. */
const MAX_ENDED_ENTRIES = 8;
/** Days moved at once: a transaction has up to 100 writes, and an expression 4 KB. */
const MAX_DAYS = 10;
const MAX_POSITIONS = 50;
/** Do not move days that may still get a statement: a statement reads both rows, one after the other, and would miss moved counts. */
const STATEMENT_PERIOD_MS = 5 * DAY_MS;

/**
 * Keeps a totals row small: moves ended days to their own rows, and removes positions of expired stream shards. Does nothing if the row
 * changes at the same time; a later batch tries again.
 */
export async function compactTotals({ db, clock }: Pick<Effects, 'db' | 'clock'>, row: CountsRow): Promise<void> {
  const now = clock.now();
  const last = utcDay(now - STATEMENT_PERIOD_MS);
  const days = [...getOpenDays(row)].filter(([date]) => date < last).slice(0, MAX_DAYS);
  const positions = endedPositions(row, now).slice(0, MAX_POSITIONS);
  if (Math.max(days.length, positions.length) <= MAX_ENDED_ENTRIES) return;
  const { campaignId } = row;
  const moved = days.flatMap(([date, counts]) =>
    Object.entries(counts).map(([name, count]) => ({ name: `${name}_${date.replaceAll('-', '')}`, count })),
  );
  // Short placeholders: with the names of the counts, the condition would exceed the limit of an expression.
  const names = Object.fromEntries(moved.map(({ name }, at) => [`c${at}`, name]));
  const values = Object.fromEntries(moved.map(({ count }, at) => [`c${at}`, count]));
  const conditions = moved.map(({ count }, at) => `#c${at} ${isCapped(count) ? '>=' : '='} :c${at}`);
  const removed = [...moved.map(({ name }) => name), ...positions].map((name) => `#${name}`);
  await db.transact([
    {
      ...totalRow(campaignId),
      update: `REMOVE ${removed.join(', ')}`,
      // Settles the race with another batch that moves or increases these counts: only unchanged counts are moved. A capped one may increase.
      ...(conditions.length > 0 && { when: conditions.join(' AND '), values, names }),
    },
    ...days.map(
      ([date, counts]): Write<'ledgers'> => ({
        table: 'ledgers',
        key: { campaignId, row: `day#${date}` },
        update: `ADD ${addends(counts)}`,
        values: counts,
      }),
    ),
  ]);
}
