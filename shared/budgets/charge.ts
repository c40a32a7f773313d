import { utcDay } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import { type Micros, micros } from '../platform/values/money.ts';
import { type Balance, balanceKey, getPendingDay, rollOver } from './balance.ts';
import { assertConserved } from './invariants.ts';

/** Creates the balance of a new campaign. */
export const createBalance = (
  campaignId: string,
  budget: Micros,
  dailyBudget: Micros,
  now: number,
): Write<'ledgers'> => ({
  table: 'ledgers',
  put: {
    ...balanceKey(campaignId),
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
 * Changes the budgets of a campaign by differences, so that charges made meanwhile are kept. The caller derived the campaign's lifecycle from
 * the balance that was read. The condition settles the race with charges: the write holds only if the budgets that were used up then, and no
 * others, are used up now. It also requires that no shard is open, because shards may have spent more than the balance shows.
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
    key: balanceKey(read.campaignId),
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
 * The common charge, which counts itself. The condition settles the race of charges for the last of a budget: each one needs more than its
 * cost left, in total and today; a refused one goes on with `settlement`. While shards are open they are charged instead.
 */
export const charge = (campaignId: string, cost: Micros, day: string): Write<'ledgers'> => ({
  table: 'ledgers',
  key: balanceKey(campaignId),
  update:
    'SET #remaining = #remaining - :cost, #dayRemaining = #dayRemaining - :cost ' +
    'ADD #spent :cost, #impressions :one, #daySpend :cost, #dayImpressions :one',
  when: 'attribute_not_exists(#phase) AND #day = :day AND #countDay = :day AND #remaining > :cost AND #dayRemaining > :cost',
  values: { cost, day, one: 1 },
});

/**
 * Replaces a balance that was read by what a settlement or a closing has worked out, if it is still as it was read. One that would lose or
 * make money is not written: this throws.
 */
export function replaceBalance(before: Balance, after: Balance): Write<'ledgers'> {
  assertConserved(before, after);
  const { remaining, spent, day, dayRemaining, dailyBudget, epoch, phase } = before;
  const values = { remaining, spent, day, dayRemaining, dailyBudget, ...(epoch && { epoch }), ...(phase && { phase }) };
  const absent = (['epoch', 'phase'] as const).filter((name) => !(name in values));
  const conditions = [
    ...Object.keys(values).map((name) => `#${name} = :${name}`),
    ...absent.map((name) => `attribute_not_exists(#${name})`),
  ];
  return { table: 'ledgers', put: { ...after, row: 'money' }, when: conditions.join(' AND '), values };
}

/**
 * Moves what the balance has counted to the row of its day, together with the write that begins another day; nothing otherwise. Days only go
 * forward, so a day is folded once.
 */
export const moveDayCounts = (before: Balance, after: Balance): Write<'ledgers'>[] =>
  getPendingDay(before) && before.countDay !== after.countDay
    ? [
        {
          table: 'ledgers',
          key: { campaignId: before.campaignId, row: `day#${before.countDay}` },
          update: 'SET #folded = :true ADD #impressions :impressions, #spend :spend',
          values: { true: true, impressions: before.dayImpressions, spend: before.daySpend },
        },
      ]
    : [];

/** The result of a charge where the common case does not hold: at a day's first impression, and at a budget's end. */
export interface Settlement {
  /** Micro-dollars charged: the cost, or what is left of the budget; 0 if nothing is left and the ad must not be served. */
  charged: Micros;
  balance: Balance;
  /** The budget that has nothing left now; the end of the total outranks the end of the day. */
  exhausted: 'budget' | 'daily_budget' | null;
}

/** Whether a balance pays the whole cost without coming to the end of a budget or of its day, and counts that day. */
export const canPayInFull = (
  { day, countDay, remaining, dayRemaining }: Balance,
  cost: Micros,
  today: string,
): boolean => day >= today && countDay === day && remaining > cost && dayRemaining > cost;

/** Charges one impression by the values of the balance, exactly. The last impression is charged what is left (api 4.4). */
export function settle(balance: Balance, cost: Micros, today: string): Settlement {
  const before = rollOver(balance, today);
  const charged = micros(Math.max(0, Math.min(cost, before.remaining, before.dayRemaining)));
  const sameDay = before.countDay === before.day;
  const after: Balance = {
    ...before,
    countDay: before.day,
    dayImpressions: (sameDay ? (before.dayImpressions ?? 0) : 0) + (charged > 0 ? 1 : 0),
    daySpend: micros((sameDay ? (before.daySpend ?? 0) : 0) + charged),
    remaining: micros(before.remaining - charged),
    dayRemaining: micros(before.dayRemaining - charged),
    spent: micros(before.spent + charged),
    impressions: before.impressions + (charged > 0 ? 1 : 0),
  };
  const exhausted = after.remaining <= 0 ? 'budget' : after.dayRemaining <= 0 ? 'daily_budget' : null;
  return { charged, balance: after, exhausted };
}
