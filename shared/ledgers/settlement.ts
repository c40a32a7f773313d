import { type Micros, micros } from '../money.ts';
import type { Money } from './store.ts';

/** What a charge comes to when the common case does not hold: at a day's first impression, and at a budget's end. */
export interface Settlement {
  /** Micro-dollars charged: the cost, or what is left of it; 0 when nothing is left and the ad must not be served. */
  charged: Micros;
  money: Money;
  /** The budget that has nothing left now; the total's end outranks the day's. */
  exhausted: 'budget' | 'daily_budget' | null;
}

/**
 * Charges one impression by the values of the ledger, exactly. A new UTC day rolls the day's budget, forward only: a clock
 * that is behind charges the day that has begun. The last impression is charged what is left (decisions, section 4).
 */
export function settlement(money: Money, cost: Micros, today: string): Settlement {
  const rolled = money.day < today ? { ...money, day: today, dayRemaining: money.dailyBudget } : money;
  const charged = micros(Math.max(0, Math.min(cost, rolled.remaining, rolled.dayRemaining)));
  const after: Money = {
    ...rolled,
    remaining: micros(rolled.remaining - charged),
    dayRemaining: micros(rolled.dayRemaining - charged),
    spent: micros(rolled.spent + charged),
    impressions: rolled.impressions + (charged > 0 ? 1 : 0),
  };
  const exhausted = after.remaining <= 0 ? 'budget' : after.dayRemaining <= 0 ? 'daily_budget' : null;
  return { charged, money: after, exhausted };
}
