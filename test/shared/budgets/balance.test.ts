import { describe, expect, it } from 'vitest';
import { type Balance, balanceKey, emptyBalance, getPendingDay, isBalance } from '../../../shared/budgets/balance.ts';
import { changeBudgets, charge, createBalance, moveDayCounts, replaceBalance } from '../../../shared/budgets/charge.ts';
import { micros } from '../../../shared/platform/values/money.ts';
import { createMemoryDatabase } from '../../memory/database.ts';

const DAY = '2026-11-20';
const balance: Balance = {
  campaignId: 'cmp_1',
  remaining: micros(100),
  spent: micros(20),
  impressions: 5,
  day: DAY,
  dayRemaining: micros(50),
  dailyBudget: micros(60),
  countDay: DAY,
  dayImpressions: 3,
  daySpend: micros(10),
};

/** Applies a write to a stored balance. Returns the balance, or null if the condition failed. */
async function after(stored: Partial<Balance>, write: Parameters<ReturnType<typeof createMemoryDatabase>['write']>[0]) {
  const db = createMemoryDatabase();
  await db.write({ table: 'ledgers', put: { ...balance, ...stored, row: 'money' } });
  const written = await db.write(write, 'new');
  return written.ok ? (written.item as unknown as Balance) : null;
}

describe('createBalance', () => {
  it('starts with the whole budgets and counts the current day', async () => {
    const db = createMemoryDatabase();
    await db.write(createBalance('cmp_1', micros(900), micros(90), Date.parse(`${DAY}T23:00:00Z`)));
    expect(await db.get('ledgers', balanceKey('cmp_1'))).toEqual({
      campaignId: 'cmp_1',
      row: 'money',
      remaining: 900,
      spent: 0,
      impressions: 0,
      day: DAY,
      dayRemaining: 90,
      dailyBudget: 90,
      countDay: DAY,
      dayImpressions: 0,
      daySpend: 0,
    });
  });

  it('is all zeros for a campaign without a balance', () => {
    const none = { remaining: 0, spent: 0, impressions: 0, day: '', dayRemaining: 0, dailyBudget: 0 };
    expect(emptyBalance('cmp_1')).toEqual({ campaignId: 'cmp_1', ...none });
  });

  it('is distinguished from rows of counts', () => {
    expect([isBalance({ row: 'money' }), isBalance({ row: 'total' })]).toEqual([true, false]);
  });
});

describe('charge', () => {
  it('subtracts its cost from both budgets, and counts itself in total and for the day', async () => {
    expect(await after({}, charge('cmp_1', micros(4), DAY))).toMatchObject({
      remaining: 96,
      dayRemaining: 46,
      dailyBudget: 60,
      spent: 24,
      impressions: 6,
      daySpend: 14,
      dayImpressions: 4,
    });
  });

  it.each<[string, Partial<Balance>]>([
    ['exactly the cost remains in total', { remaining: micros(4) }],
    ['exactly the cost remains today', { dayRemaining: micros(4) }],
    ['the balance has begun another day', { day: '2026-11-21', countDay: DAY }],
    ['the balance counts another day', { countDay: '2026-11-19' }],
    ['shards are open', { phase: 'open', epoch: 1 }],
  ])('fails if %s', async (_, stored) => {
    expect(await after(stored, charge('cmp_1', micros(4), DAY))).toBeNull();
  });

  it('succeeds if one micro-dollar more than its cost remains', async () => {
    const stored = { remaining: micros(5), dayRemaining: micros(5) };
    expect(await after(stored, charge('cmp_1', micros(4), DAY))).toMatchObject({ remaining: 1, dayRemaining: 1 });
  });
});

describe('changeBudgets', () => {
  it('adds the differences and keeps a concurrent charge', async () => {
    const charged = { remaining: micros(96), dayRemaining: micros(46), spent: micros(24) };
    expect(await after(charged, changeBudgets(balance, 30, -10))).toMatchObject({
      remaining: 126,
      dayRemaining: 36,
      dailyBudget: 50,
      spent: 24,
    });
  });

  it.each<[string, Partial<Balance>, Partial<Balance>, number, number]>([
    ['the day has changed', {}, { day: '2026-11-21' }, 30, 0],
    ['shards were opened', {}, { phase: 'open' }, 30, 0],
    ['a charge left less than the reduction of the budget', {}, { remaining: micros(20) }, -20, 0],
    ['a charge left less than the reduction of the daily budget', {}, { dayRemaining: micros(20) }, 0, -20],
    ['the budget that it would exhaust has money again', { remaining: micros(20) }, { remaining: micros(21) }, -20, 0],
    [
      'the daily budget that the write would exhaust has been raised',
      { dayRemaining: micros(20) },
      { dayRemaining: micros(21) },
      0,
      -20,
    ],
    ['the first charge was made', { spent: micros(0) }, { spent: micros(4) }, 30, 0],
    ['the first charge of the day was made', { dayRemaining: micros(60) }, { dayRemaining: micros(56) }, 30, 0],
    ['the day has its whole budget again', {}, { dayRemaining: micros(60) }, 30, 0],
  ])('fails if, since the read, %s', async (_, read, stored, difference, daily) => {
    const change = changeBudgets(Object.assign({}, balance, read), difference, daily);
    expect(await after({ ...read, ...stored }, change)).toBeNull();
    expect(await after(read, change)).not.toBeNull();
  });
});

describe('replaceBalance', () => {
  const open: Balance = { ...balance, epoch: 2, phase: 'closing' };
  const settled = { ...balance, remaining: micros(0), spent: micros(120) };

  it.each<[string, Partial<Balance>]>([
    ['remaining', { remaining: micros(99) }],
    ['spent', { spent: micros(21) }],
    ['day', { day: '2026-11-21' }],
    ['dayRemaining', { dayRemaining: micros(49) }],
    ['dailyBudget', { dailyBudget: micros(61) }],
    ['epoch', { epoch: 3 }],
    ['phase', { phase: 'open' }],
  ])('fails if %s has changed since the read', async (_, stored) => {
    expect(await after({ ...open, ...stored }, replaceBalance(open, settled))).toBeNull();
    expect(await after(stored, replaceBalance(balance, settled))).toBeNull();
  });

  it('stores the new balance without attributes of the old one', async () => {
    expect(await after(open, replaceBalance(open, settled))).toEqual({ ...settled, row: 'money' });
    expect(await after({}, replaceBalance(balance, settled))).toEqual({ ...settled, row: 'money' });
  });
});

describe('moveDayCounts', () => {
  const next = { ...balance, day: '2026-11-21', countDay: '2026-11-21' };

  it('adds the counts to the row of the day when a charge begins another day', async () => {
    const db = createMemoryDatabase();
    await db.write({
      table: 'ledgers',
      put: { campaignId: 'cmp_1', row: `day#${DAY}`, impressions: 1, spend: micros(2), clicks: 1 },
    });
    await db.transact(moveDayCounts(balance, next));
    expect(await db.get('ledgers', { campaignId: 'cmp_1', row: `day#${DAY}` })).toEqual({
      campaignId: 'cmp_1',
      row: `day#${DAY}`,
      impressions: 4,
      spend: 12,
      clicks: 1,
      folded: true,
    });
  });

  it('moves nothing during the day, or if nothing was counted', () => {
    expect(moveDayCounts(balance, balance)).toEqual([]);
    expect(moveDayCounts({ ...balance, dayImpressions: 0 }, next)).toEqual([]);
    expect(moveDayCounts(emptyBalance('cmp_1'), next)).toEqual([]);
  });

  it('has the day of the last charge pending, and none before the first charge', () => {
    expect(getPendingDay(balance)).toBe(DAY);
    expect(getPendingDay({ ...balance, dayImpressions: 0 })).toBeUndefined();
    expect(getPendingDay(undefined)).toBeUndefined();
  });
});
