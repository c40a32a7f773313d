import { type Micros, micros } from '../platform/values/money.ts';
import type { Balance } from './balance.ts';

/** The result of a charge where the common case does not hold: at a day's first impression, and at a budget's end. */
export interface Settlement {
  /** Micro-dollars charged: the cost, or what is left of the budget; 0 if nothing is left and the ad must not be served. */
  charged: Micros;
  balance: Balance;
  /** The budget that has nothing left now; the end of the total outranks the end of the day. */
  exhausted: 'budget' | 'daily_budget' | null;
}

/** A balance as a UTC day finds it: a new day has its whole budget. Days only go forward; a clock that is behind meets the day that has begun. */
export const rolled = (balance: Balance, today: string): Balance =>
  balance.day < today
    ? {
        ...balance,
        day: today,
        dayRemaining: balance.dailyBudget,
        closed: { day: balance.day, spent: spentOnItsDay(balance) },
      }
    : balance;

/** What was spent on the day of the balance. */
export const spentOnItsDay = ({ dailyBudget, dayRemaining }: Balance): Micros => micros(dailyBudget - dayRemaining);

/** What was spent on a day by the balance alone: exact, however far the counts are; undefined for earlier days. */
export function spentOn(balance: Balance, day: string): Micros | undefined {
  if (balance.day === day) return spentOnItsDay(balance);
  if (balance.day < day) return micros(0);
  return balance.closed?.day === day ? balance.closed.spent : undefined;
}

/** Whether a balance pays the whole cost without coming to the end of a budget or of its day, and counts that day. */
export const isPlentiful = (
  { day, countDay, remaining, dayRemaining }: Balance,
  cost: Micros,
  today: string,
): boolean => day >= today && countDay === day && remaining > cost && dayRemaining > cost;

/** Charges one impression by the values of the balance, exactly. The last impression is charged what is left (api 4.4). */
export function settlement(balance: Balance, cost: Micros, today: string): Settlement {
  const before = rolled(balance, today);
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
