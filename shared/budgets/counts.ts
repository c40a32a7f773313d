import { DAY_MS, utcDay } from '../platform/clock.ts';
import { type Amounts, addends, endedPositions, type PositionName } from '../platform/count-once.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import type { Key } from '../platform/items.ts';
import { type Micros, micros } from '../platform/values/money.ts';
import { type Balance, getPendingDay } from './balance.ts';

/** Clicks and conversions since the campaign began, as the streams tell them. */
export interface PerformanceTotals {
  clicks: number;
  /** Clicks whose impression was charged. */
  chargedClicks: number;
  conversions: number;
  /** Conversions of clicks whose impression was charged by then. */
  chargedConversions: number;
}

/** What happened on a UTC day; spend in micro-dollars. */
export interface LedgerDay {
  date: string;
  impressions: number;
  clicks: number;
  conversions: number;
  spend: Micros;
}

/** A day of one of several campaigns. */
export type CampaignDay = LedgerDay & { campaignId: string };

/** What is counted of a day. */
type DayCount = 'impressions' | 'clicks' | 'conversions' | 'spend';

/** A count of a day in the row of totals, as `clicks_20261120`. */
type OpenCount = `${DayCount}_${string}`;

/**
 * A row of counts; an attribute is there once something was counted. The row of totals also has the counts of the last days, so that a
 * fact is one write, and its positions in the streams; the row of a day has them once they were moved there. Of the day of the last
 * charge the balance has the rest.
 */
export interface CountsRow extends Partial<Omit<LedgerDay, 'date'>> {
  campaignId: string;
  row: 'total' | `day#${string}`;
  /** Clicks that wait for their charge. */
  unchargedClicks?: number;
  /** Conversions that were recorded before their impression was charged, if it ever was. */
  unchargedConversions?: number;
  /** Of a day: it has what was counted beside the balance. */
  folded?: boolean;
  [open: OpenCount]: number;
  [position: PositionName]: string;
}

/** The row to which facts of a campaign are added. */
export const totalRow = (campaignId: string) =>
  ({ table: 'ledgers', key: { campaignId, row: 'total' } }) as const satisfies {
    table: 'ledgers';
    key: Key<'ledgers'>;
  };

/** What a fact adds to the row of totals. @param day in UTC */
export const toCounts = (day: string, ofDay: Partial<Record<DayCount, number>>, inTotal: Amounts): Amounts => ({
  ...inTotal,
  ...Object.fromEntries(Object.entries(ofDay).map(([name, count]) => [`${name}_${day.replaceAll('-', '')}`, count])),
});

/** Counts of days that the row of totals still has, by their dates. */
export type OpenDays = ReadonlyMap<string, Partial<Record<DayCount, number>>>;

export function getOpenDays(row: Partial<CountsRow> = {}): OpenDays {
  const days = new Map<string, Partial<Record<DayCount, number>>>();
  for (const [attribute, count] of Object.entries(row)) {
    const [, name, year, month, day] = OPEN_COUNT.exec(attribute) ?? [];
    if (name === undefined) continue;
    const date = `${year}-${month}-${day}`;
    days.set(date, { ...days.get(date), [name]: count });
  }
  return days;
}

const OPEN_COUNT = /^(impressions|clicks|conversions|spend)_(\d{4})(\d\d)(\d\d)$/;

/**
 * What is counted is the clicks that wait for their charge, not those that have it: so a total that was counted before there was
 * this count is read as all charged, and the usual click, which comes after its charge, costs no further write. A click that an
 * earlier version counted and whose charge came later takes one away too many, which the floor keeps from showing.
 * A conversion is told apart once, when it is recorded: a charge that comes later still does not make it one of a charged click.
 */
export function toTotals({
  clicks = 0,
  unchargedClicks = 0,
  conversions = 0,
  unchargedConversions = 0,
}: Partial<CountsRow> = {}): PerformanceTotals {
  return {
    clicks,
    chargedClicks: clicks - Math.max(0, unchargedClicks),
    conversions,
    chargedConversions: conversions - unchargedConversions,
  };
}

/**
 * A day as its row, if there is one, the balance and the row of totals tell it. The balance was read before the row: had it been folded
 * in between, the row says so and has it all.
 */
export function toLedgerDay(
  date: string,
  row: Partial<CountsRow> = {},
  balance?: Balance,
  openDays?: OpenDays,
): LedgerDay {
  const { dayImpressions = 0, daySpend = 0 } = !row.folded && getPendingDay(balance) === date ? balance! : {};
  const open = openDays?.get(date) ?? {};
  const of = (name: DayCount): number => (row[name] ?? 0) + (open[name] ?? 0);
  return {
    date,
    impressions: of('impressions') + dayImpressions,
    clicks: of('clicks'),
    conversions: of('conversions'),
    spend: micros(of('spend') + daySpend),
  };
}

/** The date of a row of a day. */
export const toDate = (row: CountsRow['row']): string => row.slice('day#'.length);

/** What no longer changes in a row of totals is left there up to this many: removing it costs more writes than a fact. */
const MAX_ENDED_ENTRIES = 8;
/** And removed at once: an expression holds 4 KB, a day's counts stand in it three times. */
const MAX_DAYS = 10;
const MAX_POSITIONS = 50;
/** A day that statements may still be made of stays where it is: they read both rows, one after the other. */
const STATEMENT_PERIOD_MS = 5 * DAY_MS;

/**
 * Keeps a row of totals small: moves days that have ended to rows of their own, and lets go of positions in shards that are gone.
 * What changes meanwhile leaves it for the next time.
 */
export async function compactTotals({ db, clock }: Pick<Effects, 'db' | 'clock'>, row: CountsRow): Promise<void> {
  const now = clock.now();
  const last = utcDay(now - STATEMENT_PERIOD_MS);
  const days = [...getOpenDays(row)].filter(([date]) => date < last).slice(0, MAX_DAYS);
  const positions = endedPositions(row, now).slice(0, MAX_POSITIONS);
  if (Math.max(days.length, positions.length) <= MAX_ENDED_ENTRIES) return;
  const { campaignId } = row;
  const moved = Object.fromEntries(
    days.flatMap(([date, counts]) =>
      Object.entries(counts).map(([name, count]) => [`${name}_${date.replaceAll('-', '')}`, count]),
    ),
  );
  const conditions = Object.keys(moved).map((name) => `#${name} = :${name}`);
  const removed = [...Object.keys(moved), ...positions].map((name) => `#${name}`);
  await db.transact([
    {
      ...totalRow(campaignId),
      update: `REMOVE ${removed.join(', ')}`,
      // Settles the race with another batch that moves them, or still adds to them.
      ...(conditions.length > 0 && { when: conditions.join(' AND '), values: moved }),
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
