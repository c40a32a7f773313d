import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Balance } from '../../../shared/ledgers/balance.ts';
import { settlement } from '../../../shared/ledgers/settlement.ts';
import { micros } from '../../../shared/values/money.ts';

const balanceOf = (remaining: number, dayRemaining: number, day = '2026-11-20'): Balance => ({
  campaignId: 'cmp_1',
  remaining: micros(remaining),
  spent: micros(1000 - remaining),
  impressions: 7,
  day,
  dayRemaining: micros(dayRemaining),
  dailyBudget: micros(500),
});
const settle = (before: Balance, cost: number, today = '2026-11-20') => settlement(before, micros(cost), today);

describe('Settling one impression', () => {
  it.each([
    ['charges the cost while more is left', balanceOf(100, 50), 4, 4, null, 96, 46],
    ['charges what is left in total, and says so', balanceOf(3, 50), 4, 3, 'budget', 0, 47],
    ['charges what is left today, and says so', balanceOf(100, 3), 4, 3, 'daily_budget', 97, 0],
    ['lets the end of the total outrank the end of the day', balanceOf(3, 3), 4, 3, 'budget', 0, 0],
    ['says so as well when the cost is exactly what is left', balanceOf(4, 50), 4, 4, 'budget', 0, 46],
    ['charges nothing when nothing is left', balanceOf(0, 50), 4, 0, 'budget', 0, 50],
    ['charges nothing when the budget was lowered under what is spent', balanceOf(-20, 50), 4, 0, 'budget', -20, 50],
    ['charges nothing when the day is spent', balanceOf(100, 0), 4, 0, 'daily_budget', 100, 0],
  ])('%s', (_, before, cost, charged, exhausted, remaining, dayRemaining) => {
    const result = settle(before, cost);
    expect(result).toMatchObject({ charged, exhausted, balance: { remaining, dayRemaining } });
    expect(result.balance.spent).toBe(before.spent + charged);
    expect(result.balance.impressions).toBe(charged > 0 ? 8 : 7);
  });

  it('gives a new UTC day its whole budget again', () => {
    expect(settle(balanceOf(900, 0, '2026-11-19'), 4)).toMatchObject({
      charged: 4,
      exhausted: null,
      balance: { day: '2026-11-20', dayRemaining: 496 },
    });
  });

  it('never goes back a day for a clock that is behind', () => {
    expect(settle(balanceOf(900, 10, '2026-11-21'), 4)).toMatchObject({
      balance: { day: '2026-11-21', dayRemaining: 6 },
    });
  });

  it('never spends more than the budgets, and all of it in the end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.array(fc.integer({ min: 1, max: 60 })), (budget, costs) => {
        let now: Balance = { ...balanceOf(budget, 500), spent: micros(0) };
        for (const cost of costs) now = settle(now, cost).balance;
        const wanted = costs.reduce((sum, cost) => sum + cost, 0);
        expect(now.spent).toBe(Math.min(budget, wanted, 500));
        expect(now.remaining).toBe(budget - now.spent);
      }),
    );
  });
});
