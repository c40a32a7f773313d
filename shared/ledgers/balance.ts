import { utcDay } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import { type Micros, micros } from '../values/money.ts';
import type { Opening } from './shards/opening.ts';

/** The row that a charge must be atomic with. Remaining amounts can be below zero when a budget was lowered under what is spent. */
export interface Balance extends Opening {
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
  /**
   * The UTC day whose charges the next two count, beside what its row has; none of the three before the first charge by code that
   * counts here. They move to the day's row when another day begins.
   */
  countDay?: string;
  dayImpressions?: number;
  daySpend?: Micros;
}

export const moneyKey = (campaignId: string) => ({ campaignId, row: 'money' }) as const;

export const isBalance = (item: { row: string }): item is Balance & { row: 'money' } => item.row === 'money';

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
    countDay: utcDay(now),
    dayImpressions: 0,
    daySpend: micros(0),
  },
});

/**
 * A change of budgets during spend applies as a difference, so that no charge in between is lost. The condition settles the race
 * with charges for what the change makes of the campaign's lifecycle: it holds while the same budgets are used up as in the
 * ledger that was read, and the same ones are not; and while no shard is open, which would know more of them.
 */
export function changeBudgets(read: Balance, difference: number, dailyDifference: number): Write<'ledgers'> {
  const sign = (left: number) => (left > 0 ? '>' : '<=');
  const conditions = [
    'attribute_not_exists(#phase) AND #day = :day',
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
 * The common charge, which counts itself. The condition settles the race of charges for the same money: each finds more than its cost left,
 * in total and today, or is refused and looks closer. While shards are open they are charged instead.
 */
export const charge = (campaignId: string, cost: Micros, day: string): Write<'ledgers'> => ({
  table: 'ledgers',
  key: moneyKey(campaignId),
  update:
    'SET #remaining = #remaining - :cost, #dayRemaining = #dayRemaining - :cost ' +
    'ADD #spent :cost, #impressions :one, #daySpend :cost, #dayImpressions :one',
  when: 'attribute_not_exists(#phase) AND #day = :day AND #countDay = :day AND #remaining > :cost AND #dayRemaining > :cost',
  values: { cost, day, one: 1 },
});

/** Replaces the money by what a settlement found right, on condition that it is still what the settlement read. */
export function replaceBalance(before: Balance, after: Balance): Write<'ledgers'> {
  const { remaining, spent, day, dayRemaining, dailyBudget, epoch, phase } = before;
  const values = { remaining, spent, day, dayRemaining, dailyBudget, ...(epoch && { epoch }), ...(phase && { phase }) };
  const absent = (['epoch', 'phase'] as const).filter((name) => !(name in values));
  const conditions = [
    ...Object.keys(values).map((name) => `#${name} = :${name}`),
    ...absent.map((name) => `attribute_not_exists(#${name})`),
  ];
  return { table: 'ledgers', put: { ...after, row: 'money' }, when: conditions.join(' AND '), values };
}

/** The day of which something is counted beside the balance alone. */
export const unfoldedDay = (balance: Balance | undefined): string | undefined =>
  balance?.dayImpressions ? balance.countDay : undefined;

/**
 * Moves what was counted beside the balance to the row of its day, with the charge that begins another day; nothing otherwise. A day is
 * folded once, since days go forward alone.
 */
export const foldDay = (before: Balance, after: Balance): Write<'ledgers'>[] =>
  unfoldedDay(before) && before.countDay !== after.countDay
    ? [
        {
          table: 'ledgers',
          key: { campaignId: before.campaignId, row: `day#${before.countDay}` },
          update: 'SET #folded = :true ADD #impressions :impressions, #spend :spend',
          values: { true: true, impressions: before.dayImpressions, spend: before.daySpend },
        },
      ]
    : [];

/** The balance of a campaign that has none. */
export const noMoney = (campaignId: string): Balance => ({
  campaignId,
  remaining: micros(0),
  spent: micros(0),
  impressions: 0,
  day: '',
  dayRemaining: micros(0),
  dailyBudget: micros(0),
});
