import { utcDay } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import { type Micros, micros } from '../values/money.ts';

/** The row that a charge must be atomic with. Remaining amounts can be below zero when a budget was lowered under what is spent. */
export interface Balance {
  campaignId: string;
  remaining: Micros;
  spent: Micros;
  impressions: number;
  /** The UTC day that `dayRemaining` speaks of. */
  day: string;
  dayRemaining: Micros;
  dailyBudget: Micros;
  /** The day before this one on which there was a charge, and what was spent on it in the end. */
  closed?: { day: string; spent: Micros };
}

/** Counts since the campaign began, as the stream of bids tells them. */
interface PerformanceTotals {
  clicks: number;
  /** Clicks whose impression was charged. */
  chargedClicks: number;
  conversions: number;
}

export type Performance = Balance & PerformanceTotals;

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

/** A row of counts; an attribute is there once something was counted. `unchargedClicks`: those that wait for their charge. */
interface CountsRow extends Partial<Omit<LedgerDay, 'date'>> {
  campaignId: string;
  row: 'total' | `day#${string}`;
  unchargedClicks?: number;
}

declare module '../platform/items.ts' {
  interface Items {
    ledgers: (Balance & { row: 'money' }) | CountsRow;
  }
}

const moneyKey = (campaignId: string) => ({ campaignId, row: 'money' }) as const;

/** The first row of a new campaign's ledger. */
export const openLedger = (campaignId: string, budget: Micros, dailyBudget: Micros, now: number): Write<'ledgers'> => ({
  table: 'ledgers',
  put: {
    ...moneyKey(campaignId),
    remaining: budget,
    spent: micros(0),
    impressions: 0,
    day: utcDay(now),
    dayRemaining: dailyBudget,
    dailyBudget,
  },
});

/**
 * A change of budgets during spend applies as a difference, so that no charge in between is lost. The condition settles the race
 * with charges for what the change makes of the campaign's lifecycle: it holds while the same budgets are used up as in the
 * ledger that was read, and the same ones are not.
 */
export function changeBudgets(read: Balance, difference: number, dailyDifference: number): Write<'ledgers'> {
  const sign = (left: number) => (left > 0 ? '>' : '<=');
  const conditions = [
    '#day = :day',
    `#remaining ${sign(read.remaining + difference)} :least`,
    `#dayRemaining ${sign(read.dayRemaining + dailyDifference)} :leastToday`,
    `#spent ${sign(read.spent)} :zero`,
    `#dayRemaining ${read.dayRemaining < read.dailyBudget ? '<' : '>='} #dailyBudget`,
  ];
  return {
    table: 'ledgers',
    key: moneyKey(read.campaignId),
    update: 'ADD #remaining :difference, #dayRemaining :daily, #dailyBudget :daily',
    when: conditions.join(' AND '),
    values: {
      difference,
      daily: dailyDifference,
      day: read.day,
      least: -difference,
      leastToday: -dailyDifference,
      zero: 0,
    },
  };
}

/**
 * The common charge. The condition settles the race of charges for the same money: each finds more than its cost left,
 * in total and today, or is refused and looks closer.
 */
export const charge = (campaignId: string, cost: Micros, day: string): Write<'ledgers'> => ({
  table: 'ledgers',
  key: moneyKey(campaignId),
  update:
    'SET #remaining = #remaining - :cost, #dayRemaining = #dayRemaining - :cost ADD #spent :cost, #impressions :one',
  when: '#day = :day AND #remaining > :cost AND #dayRemaining > :cost',
  values: { cost, day, one: 1 },
});

/** Replaces the money by what a settlement found right, on condition that it is still what the settlement read. */
export const replaceBalance = (before: Balance, after: Balance): Write<'ledgers'> => ({
  table: 'ledgers',
  put: { ...after, row: 'money' },
  when: '#remaining = :remaining AND #spent = :spent AND #day = :day AND #dayRemaining = :dayRemaining AND #dailyBudget = :dailyBudget',
  values: {
    remaining: before.remaining,
    spent: before.spent,
    day: before.day,
    dayRemaining: before.dayRemaining,
    dailyBudget: before.dailyBudget,
  },
});

type Counts = Record<string, number>;

/** Adds to a campaign's counts: its day's row and its total, and what is counted in total alone. */
export const addCounts = (
  campaignId: string,
  day: string,
  counts: Counts,
  inTotal: Counts = {},
): Write<'ledgers'>[] => [add(campaignId, `day#${day}`, counts), add(campaignId, 'total', { ...counts, ...inTotal })];

const add = (campaignId: string, row: CountsRow['row'], counts: Counts): Write<'ledgers'> => ({
  table: 'ledgers',
  key: { campaignId, row },
  update: `ADD ${Object.keys(counts)
    .map((name) => `#${name} :${name}`)
    .join(', ')}`,
  values: counts,
});

export function ledgerStore({ db }: Pick<Effects, 'db'>) {
  return {
    /** The balance of a campaign; every campaign has it from its first moment. */
    async balance(campaignId: string): Promise<Balance> {
      const balance = await db.get('ledgers', moneyKey(campaignId));
      if (balance?.row !== 'money') throw new Error(`campaign ${campaignId} has no ledger`);
      return balance;
    },

    /** The rows of the days on which something happened, `from` to `to` inclusive, oldest first. */
    async days(campaignId: string, from: string, to: string): Promise<LedgerDay[]> {
      const days: LedgerDay[] = [];
      const rows = db.query({
        table: 'ledgers',
        where: '#campaignId = :campaignId AND #row BETWEEN :from AND :to',
        values: { campaignId, from: `day#${from}`, to: `day#${to}` },
        consistent: true,
      });
      for await (const row of rows) if (row.row !== 'money') days.push(dayOf(row));
      return days;
    },

    /** The rows of one day of those campaigns on which something happened. */
    async dayOfAll(campaignIds: string[], date: string): Promise<CampaignDay[]> {
      const keys = campaignIds.map((campaignId) => ({ campaignId, row: `day#${date}` }));
      const rows = await db.getAll('ledgers', keys);
      return rows.filter((row) => row.row !== 'money').map((row) => ({ campaignId: row.campaignId, ...dayOf(row) }));
    },

    /** Money and totals of several campaigns, in the order asked; zeros for a campaign without a ledger. */
    async performance(campaignIds: string[]): Promise<Performance[]> {
      const keys = campaignIds.flatMap((campaignId) => [moneyKey(campaignId), { campaignId, row: 'total' }]);
      const balances = new Map<string, Balance>();
      const totals = new Map<string, CountsRow>();
      for (const row of await db.getAll('ledgers', keys)) {
        if (row.row === 'money') balances.set(row.campaignId, row);
        else totals.set(row.campaignId, row);
      }
      return campaignIds.map((id) => ({ ...(balances.get(id) ?? noMoney(id)), ...totalsOf(totals.get(id)) }));
    },
  };
}

/**
 * What is counted is the clicks that wait for their charge, not those that have it: so a total that was counted before there was
 * this count is read as all charged, and the usual click, which comes after its charge, costs no further write. A click that an
 * earlier version counted and whose charge came later takes one away too many, which the floor keeps from showing.
 */
function totalsOf({ clicks = 0, unchargedClicks = 0, conversions = 0 }: Partial<CountsRow> = {}): PerformanceTotals {
  return { clicks, chargedClicks: clicks - Math.max(0, unchargedClicks), conversions };
}

const dayOf = ({ row, impressions = 0, clicks = 0, conversions = 0, spend = micros(0) }: CountsRow): LedgerDay => ({
  date: row.slice('day#'.length),
  impressions,
  clicks,
  conversions,
  spend,
});

const noMoney = (campaignId: string): Balance => ({
  campaignId,
  remaining: micros(0),
  spent: micros(0),
  impressions: 0,
  day: '',
  dayRemaining: micros(0),
  dailyBudget: micros(0),
});
