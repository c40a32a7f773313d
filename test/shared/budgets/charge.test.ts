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

describe('settle', () => {
  it.each([
    ['charges the cost if more remains', balanceOf(100, 50), 4, 4, null, 96, 46],
    ['charges the rest of the budget and reports its end', balanceOf(3, 50), 4, 3, 'budget', 0, 47],
    ['charges the rest of the day and reports its end', balanceOf(100, 3), 4, 3, 'daily_budget', 97, 0],
    ['reports the end of the budget if both are exhausted', balanceOf(3, 3), 4, 3, 'budget', 0, 0],
    ['reports the end if the cost equals the rest', balanceOf(4, 50), 4, 4, 'budget', 0, 46],
    ['reports no end while one micro-dollar remains', balanceOf(5, 50), 4, 4, null, 1, 46],
    ['reports no end of the day while one micro-dollar remains', balanceOf(100, 5), 4, 4, null, 96, 1],
    ['counts an impression that is charged the last micro-dollar', balanceOf(1, 50), 4, 1, 'budget', 0, 49],
    ['charges nothing if the budget is exhausted', balanceOf(0, 50), 4, 0, 'budget', 0, 50],
    ['charges nothing if the budget was lowered below the spend', balanceOf(-20, 50), 4, 0, 'budget', -20, 50],
    ['charges nothing if the daily budget is exhausted', balanceOf(100, 0), 4, 0, 'daily_budget', 100, 0],
  ])('%s', (_, before, cost, charged, exhausted, remaining, dayRemaining) => {
    const result = settleCost(before, cost);
    expect(result).toMatchObject({ charged, exhausted, balance: { remaining, dayRemaining } });
    expect(result.balance.spent).toBe(before.spent + charged);
    expect(result.balance.impressions).toBe(charged > 0 ? 8 : 7);
    expect(result.balance).toMatchObject({ dayImpressions: charged > 0 ? 1 : 0, daySpend: charged });
  });

  it('adds to the counts of the day', () => {
    const counted = { ...balanceOf(100, 50), countDay: '2026-11-20', dayImpressions: 3, daySpend: micros(9) };
    expect(settleCost(counted, 4).balance).toMatchObject({ dayImpressions: 4, daySpend: 13 });
    expect(settleCost({ ...counted, remaining: micros(0) }, 4).balance).toMatchObject({
      dayImpressions: 3,
      daySpend: 9,
    });
  });

  it('counts a new day from zero, regardless of the previous day', () => {
    const uncounted = { ...balanceOf(100, 50), countDay: '2026-11-20' };
    expect(settleCost(uncounted, 4).balance).toMatchObject({ dayImpressions: 1, daySpend: 4 });
    const earlier = { ...balanceOf(100, 50), countDay: '2026-11-19', dayImpressions: 3, daySpend: micros(9) };
    expect(settleCost(earlier, 4).balance).toMatchObject({ countDay: '2026-11-20', dayImpressions: 1, daySpend: 4 });
  });

  it('starts a new UTC day with the whole daily budget', () => {
    expect(settleCost(balanceOf(900, 0, '2026-11-19'), 4)).toMatchObject({
      charged: 4,
      exhausted: null,
      balance: { day: '2026-11-20', dayRemaining: 496 },
    });
  });

  it('never returns to an earlier day if a clock is behind', () => {
    expect(settleCost(balanceOf(900, 10, '2026-11-21'), 4)).toMatchObject({
      balance: { day: '2026-11-21', dayRemaining: 6 },
    });
  });

  it('never spends more than the budgets, and spends them completely', () => {
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

describe('getSpendOn', () => {
  const ledger = { ...balanceOf(900, 480), closed: { day: '2026-11-17', spent: micros(70) } };

  it.each([
    ['returns the spend of the current day', '2026-11-20', 20],
    ['returns zero for a later day', '2026-11-21', 0],
    ['returns the spend of the last closed day', '2026-11-17', 70],
    ['returns undefined for any other earlier day', '2026-11-18', undefined],
  ])('%s', (_, day, spent) => expect(getSpendOn(ledger, day)).toBe(spent));

  it('returns undefined for earlier days if none was closed', () => {
    expect(getSpendOn(balanceOf(900, 480), '2026-11-19')).toBeUndefined();
  });

  it('returns the spend of a day that a charge has closed', () => {
    expect(settleCost(balanceOf(900, 480, '2026-11-18'), 4).balance.closed).toEqual({ day: '2026-11-18', spent: 20 });
  });
});

describe('canPayInFull', () => {
  const seen = { ...balanceOf(100, 50), countDay: '2026-11-20' };

  it.each([
    ['is true if more than the cost remains in total and today', {}, true],
    ['is true on a day begun by a faster clock', { day: '2026-11-21', countDay: '2026-11-21' }, true],
    ['is false if its day has ended', { day: '2026-11-19', countDay: '2026-11-19' }, false],
    ['is false if it counts another day', { countDay: '2026-11-19' }, false],
    ['is false if it counts no day yet', { countDay: undefined }, false],
    ['is false if exactly the cost remains in total', { remaining: micros(4) }, false],
    ['is false if exactly the cost remains today', { dayRemaining: micros(4) }, false],
    ['is true if one micro-dollar more remains of both', { remaining: micros(5), dayRemaining: micros(5) }, true],
  ])('%s', (_, more, expected) => {
    expect(canPayInFull({ ...seen, ...more } as Balance, micros(4), '2026-11-20')).toBe(expected);
  });
});
