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
 * Changes the budgets of a campaign by a difference, so that concurrent charges are kept. The caller derived the campaign's status from
 * `before`. The condition settles the race with charges: it holds only if the budgets exhausted now are the same as in `before`. It also
 * requires that no shard is open, because shards may have spent more than the balance shows.
 */
export function changeBudgets(before: Balance, difference: number, dailyDifference: number): Write<'ledgers'> {
  const sign = (left: number) => (left > 0 ? '>' : '<=');
  const conditions = [
    'attribute_not_exists(#phase) AND #day = :day',
    `#remaining ${sign(before.remaining + difference)} :threshold`,
    `#dayRemaining ${sign(before.dayRemaining + dailyDifference)} :dayThreshold`,
    `#spent ${sign(before.spent)} :zero`,
    `#dayRemaining ${before.dayRemaining < before.dailyBudget ? '<' : '>='} #dailyBudget`,
  ];
  return {
    table: 'ledgers',
    key: balanceKey(before.campaignId),
    update: 'ADD #remaining :difference, #dayRemaining :daily, #dailyBudget :daily',
    when: conditions.join(' AND '),
    values: {
      difference,
      daily: dailyDifference,
      day: before.day,
      threshold: -difference,
      dayThreshold: -dailyDifference,
      zero: 0,
    },
  };
}

/**
 * Charges one impression and counts it, in the common case. The condition settles the race of charges for the end of a budget: more than the
 * cost must remain, in total and today. If it fails, `settle` computes the charge from the current balance. While shards are open, they are
 * charged instead.
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
 * Replaces a balance with the result of a settlement or a closing. The condition settles the race with every other write: it holds only if
 * the amounts are still those of `before`.
 * @throws BrokenBudget if `after` would lose or create money
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
 * Moves the day's counts from the balance to the row of the day, in the transaction that begins another day; otherwise returns no write.
 * Days only move forward, so each day is moved once.
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

/** The result of a charge outside the common case: the first impression of a day, or the end of a budget. */
export interface Settlement {
  /** Micro-dollars charged: the cost, or the rest of the budget if less. If 0, the budget is exhausted and the ad must not be served. */
  charged: Micros;
  balance: Balance;
  /** The budget that is exhausted now; `budget` if both are. */
  exhausted: 'budget' | 'daily_budget' | null;
}

/** Whether the common charge succeeds: the balance already counts the day, and the charge exhausts neither budget. */
export const canPayInFull = (
  { day, countDay, remaining, dayRemaining }: Balance,
  cost: Micros,
  today: string,
): boolean => day >= today && countDay === day && remaining > cost && dayRemaining > cost;

/** Computes the exact charge of one impression from a balance. The last impression of a budget is charged only what remains (api 4.4). */
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
