import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Balance, getSpendOn } from '../../../shared/budgets/balance.ts';
import { canPayInFull, settle } from '../../../shared/budgets/charge.ts';
import { micros } from '../../../shared/platform/values/money.ts';

const balanceOf = (remaining: number, dayRemaining: number, day = '2026-11-20'): Balance => ({
  campaignId: 'cmp_1',
  remaining: micros(remaining),
  spent: micros(1000 - remaining),
  impressions: 7,
  day,
  dayRemaining: micros(dayRemaining),
  dailyBudget: micros(500),
});
const settleCost = (before: Balance, cost: number, today = '2026-11-20') => settle(before, micros(cost), today);

describe('Settling one impression', () => {
  it.each([
    ['charges the cost while more is left', balanceOf(100, 50), 4, 4, null, 96, 46],
    ['charges what is left in total, and says so', balanceOf(3, 50), 4, 3, 'budget', 0, 47],
    ['charges what is left today, and says so', balanceOf(100, 3), 4, 3, 'daily_budget', 97, 0],
    ['lets the end of the total outrank the end of the day', balanceOf(3, 3), 4, 3, 'budget', 0, 0],
    ['says so as well when the cost is exactly what is left', balanceOf(4, 50), 4, 4, 'budget', 0, 46],
    ['says nothing of an end while a single micro-dollar is left', balanceOf(5, 50), 4, 4, null, 1, 46],
    ['says nothing of the day’s end while a micro-dollar of it is left', balanceOf(100, 5), 4, 4, null, 96, 1],
    ['counts an impression that is charged the last micro-dollar', balanceOf(1, 50), 4, 1, 'budget', 0, 49],
    ['charges nothing when nothing is left', balanceOf(0, 50), 4, 0, 'budget', 0, 50],
    ['charges nothing when the budget was lowered under what is spent', balanceOf(-20, 50), 4, 0, 'budget', -20, 50],
    ['charges nothing when the day is spent', balanceOf(100, 0), 4, 0, 'daily_budget', 100, 0],
  ])('%s', (_, before, cost, charged, exhausted, remaining, dayRemaining) => {
    const result = settleCost(before, cost);
    expect(result).toMatchObject({ charged, exhausted, balance: { remaining, dayRemaining } });
    expect(result.balance.spent).toBe(before.spent + charged);
    expect(result.balance.impressions).toBe(charged > 0 ? 8 : 7);
    expect(result.balance).toMatchObject({ dayImpressions: charged > 0 ? 1 : 0, daySpend: charged });
  });

  it('adds to what its day has counted already', () => {
    const counted = { ...balanceOf(100, 50), countDay: '2026-11-20', dayImpressions: 3, daySpend: micros(9) };
    expect(settleCost(counted, 4).balance).toMatchObject({ dayImpressions: 4, daySpend: 13 });
    expect(settleCost({ ...counted, remaining: micros(0) }, 4).balance).toMatchObject({
      dayImpressions: 3,
      daySpend: 9,
    });
  });

  it('counts a day from zero that nothing was counted of, whatever an earlier day has', () => {
    const uncounted = { ...balanceOf(100, 50), countDay: '2026-11-20' };
    expect(settleCost(uncounted, 4).balance).toMatchObject({ dayImpressions: 1, daySpend: 4 });
    const earlier = { ...balanceOf(100, 50), countDay: '2026-11-19', dayImpressions: 3, daySpend: micros(9) };
    expect(settleCost(earlier, 4).balance).toMatchObject({ countDay: '2026-11-20', dayImpressions: 1, daySpend: 4 });
  });

  it('gives a new UTC day its whole budget again', () => {
    expect(settleCost(balanceOf(900, 0, '2026-11-19'), 4)).toMatchObject({
      charged: 4,
      exhausted: null,
      balance: { day: '2026-11-20', dayRemaining: 496 },
    });
  });

  it('never goes back a day for a clock that is behind', () => {
    expect(settleCost(balanceOf(900, 10, '2026-11-21'), 4)).toMatchObject({
      balance: { day: '2026-11-21', dayRemaining: 6 },
    });
  });

  it('never spends more than the budgets, and all of it in the end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.array(fc.integer({ min: 1, max: 60 })), (budget, costs) => {
        let now: Balance = { ...balanceOf(budget, 500), spent: micros(0) };
        for (const cost of costs) now = settleCost(now, cost).balance;
        const wanted = costs.reduce((sum, cost) => sum + cost, 0);
        expect(now.spent).toBe(Math.min(budget, wanted, 500));
        expect(now.remaining).toBe(budget - now.spent);
      }),
    );
  });
});

describe('What a ledger says was spent on a day', () => {
  const ledger = { ...balanceOf(900, 480), closed: { day: '2026-11-17', spent: micros(70) } };

  it.each([
    ['is what its own day lacks of the daily budget', '2026-11-20', 20],
    ['is nothing on a later day', '2026-11-21', 0],
    ['is what the last closed day came to', '2026-11-17', 70],
    ['is not known of any other earlier day', '2026-11-18', undefined],
  ])('%s', (_, day, spent) => expect(getSpendOn(ledger, day)).toBe(spent));

  it('is not known of earlier days before any was closed', () => {
    expect(getSpendOn(balanceOf(900, 480), '2026-11-19')).toBeUndefined();
  });

  it('is kept of the day that a charge closes', () => {
    expect(settleCost(balanceOf(900, 480, '2026-11-18'), 4).balance.closed).toEqual({ day: '2026-11-18', spent: 20 });
  });
});

describe('A ledger that was seen', () => {
  const seen = { ...balanceOf(100, 50), countDay: '2026-11-20' };

  it.each([
    ['has plenty while more than the cost is left in total and today', {}, true],
    ['has plenty on a day that a faster clock has begun', { day: '2026-11-21', countDay: '2026-11-21' }, true],
    ['has not when its day is over', { day: '2026-11-19', countDay: '2026-11-19' }, false],
    ['has not while it counts another day', { countDay: '2026-11-19' }, false],
    ['has not before it counted any', { countDay: undefined }, false],
    ['has not when the cost is exactly what is left in total', { remaining: micros(4) }, false],
    ['has not when the cost is exactly what is left today', { dayRemaining: micros(4) }, false],
    ['has plenty when a micro-dollar more is left of both', { remaining: micros(5), dayRemaining: micros(5) }, true],
  ])('%s', (_, more, expected) => {
    expect(canPayInFull({ ...seen, ...more } as Balance, micros(4), '2026-11-20')).toBe(expected);
  });
});
