import { describe, expect, it } from 'vitest';
import {
  type Balance,
  balanceKey,
  emptyBalance,
  getTotalGranted,
  listGrantedShards,
  removeShardState,
  writeBalance,
} from '../../../../shared/budgets/balance.ts';
import {
  type BudgetShard,
  beginClosing,
  chargeShard,
  chooseWidth,
  closeShard,
  creditShard,
  grantSize,
  grantToShard,
  isShard,
  mergeShards,
  openForDay,
  openShards,
  shardKey,
  widenShards,
} from '../../../../shared/budgets/shards/shard.ts';
import type { Write } from '../../../../shared/platform/database.ts';
import { micros } from '../../../../shared/platform/values/money.ts';
import { createMemoryDatabase } from '../../../memory/database.ts';

const DAY = '2026-11-20';
const closed: Balance = {
  ...emptyBalance('cmp_1'),
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
const open: Balance = { ...closed, phase: 'open', epoch: 2, width: 4 };
const id = { campaignId: 'cmp_1', epoch: 2, shard: 1 };

/** Applies a write to a stored row. Returns the row, or null if the condition failed. */
async function after<T extends object>(stored: object | undefined, write: Write<'ledgers'>): Promise<T | null> {
  const db = createMemoryDatabase();
  if (stored) await db.write({ table: 'ledgers', put: stored as Balance & { row: 'money' } });
  const written = await db.write(write, 'new');
  return written.ok ? (written.item as unknown as T) : null;
}
const ofBalance = (stored: Partial<Balance>, write: Write<'ledgers'>) =>
  after<Balance>({ ...stored, ...balanceKey('cmp_1') }, write);
const ofShard = (stored: Partial<BudgetShard> | undefined, write: Write<'ledgers'>) =>
  after<BudgetShard>(stored && { ...stored, ...shardKey(id) }, write);

describe('openShards', () => {
  it('starts the next epoch with the given number of shards', async () => {
    expect(await ofBalance(closed, openShards(closed, 4))).toMatchObject({ phase: 'open', epoch: 1, width: 4 });
    const again = { ...closed, epoch: 2 };
    expect(await ofBalance(again, openShards(again, 8))).toMatchObject({ phase: 'open', epoch: 3, width: 8 });
  });

  it.each<[string, Partial<Balance>]>([
    ['is open already', { phase: 'open' }],
    ['was opened by another instance', { epoch: 7 }],
    ['has begun another day', { day: '2026-11-21' }],
    ['counts another day', { countDay: '2026-11-19' }],
    ['has nothing left', { remaining: micros(0) }],
    ['has nothing left today', { dayRemaining: micros(0) }],
  ])('fails if the balance %s', async (_, stored) => {
    expect(await ofBalance({ ...closed, ...stored }, openShards(closed, 4))).toBeNull();
    const second = { ...closed, epoch: 2 };
    expect(await ofBalance({ ...second, ...stored }, openShards(second, 4))).toBeNull();
  });

  it('continues the counts of the day, and starts a new day from zero', () => {
    expect(openForDay(DAY, closed, 4)).toEqual({ ...closed, phase: 'open', epoch: 1, width: 4 });
    expect(openForDay('2026-11-21', { ...closed, epoch: 2 }, 4)).toMatchObject({
      day: '2026-11-21',
      countDay: '2026-11-21',
      dayRemaining: 60,
      dayImpressions: 0,
      daySpend: 0,
      epoch: 3,
    });
    const { dayImpressions, daySpend, ...uncounted } = closed;
    expect(openForDay(DAY, uncounted, 4)).toMatchObject({ dayImpressions: 0, daySpend: 0 });
  });

  it('can be widened from the current width', async () => {
    expect(await ofBalance(open, widenShards(open, 8))).toMatchObject({ width: 8 });
    for (const changed of [{ phase: 'closing' as const }, { epoch: 3 }, { width: 8 }])
      expect(await ofBalance({ ...open, ...changed }, widenShards(open, 8))).toBeNull();
  });
});

describe('a grant', () => {
  it('is subtracted from the balance, in total and for the day', async () => {
    const first = await ofBalance(open, grantToShard(id, 0, 10));
    expect(first).toMatchObject({ remaining: 90, dayRemaining: 40, granted_1: 10 });
    expect(await ofBalance(first!, grantToShard(id, 10, 5))).toMatchObject({ remaining: 85, granted_1: 15 });
  });

  it.each<[string, Partial<Balance>, number]>([
    ['the budget is being closed', { phase: 'closing' }, 0],
    ['the budget was opened again', { epoch: 3 }, 0],
    ['it would take the last of the budget', { remaining: micros(10) }, 0],
    ['it would take the last of the day', { dayRemaining: micros(10) }, 0],
    ['another grant is under way', { granted_1: micros(8) }, 0],
    ['another grant came between', { granted_1: micros(8) }, 5],
  ])('fails if %s', async (_, stored, arrived) => {
    expect(await ofBalance({ ...open, ...stored }, grantToShard(id, arrived, 10))).toBeNull();
  });

  it('is credited once, to a new shard or to one with the previous total of grants', async () => {
    expect(await ofShard(undefined, creditShard(id, 0, 10))).toMatchObject({ granted: 10, left: 10 });
    const shard = { granted: micros(10), left: micros(3) };
    expect(await ofShard(shard, creditShard(id, 10, 16))).toMatchObject({ granted: 16, left: 9 });
    expect(await ofShard(shard, creditShard(id, 0, 10))).toBeNull();
    expect(await ofShard(shard, creditShard(id, 5, 10))).toBeNull();
    expect(await ofShard({ ...shard, closed: true }, creditShard(id, 10, 16))).toBeNull();
    expect(await ofShard({ closed: true }, creditShard(id, 0, 10))).toBeNull();
  });

  it('is limited by a share of the budget and of the rest, minus what the shard may still have', () => {
    const sizes = { maxShards: 64, share: 0.1, minImpressions: 8 };
    const rich = { ...open, remaining: micros(100_000), spent: micros(0), dayRemaining: micros(100_000) };
    // A tenth of the daily budget of 40,000, in four shards.
    expect(grantSize({ ...rich, dailyBudget: micros(40_000) }, 4, 4, sizes)).toBe(996);
    // A tenth of the whole budget, including spend and grants, if that is less than the daily share.
    const granted = { ...rich, spent: micros(6_000), granted_0: micros(14_000), dailyBudget: micros(500_000) };
    expect(grantSize(granted, 4, 4, sizes)).toBe(2_996);
    // A share of the rest, or of today's rest, as if there were sixteen more shards.
    expect(grantSize({ ...granted, remaining: micros(2_000) }, 4, 4, sizes)).toBe(96);
    expect(grantSize({ ...granted, dayRemaining: micros(1_019) }, 4, 4, sizes)).toBe(46);
    expect(grantSize({ ...granted, dayRemaining: micros(0) }, 4, 4, sizes)).toBe(-4);
  });

  it('limits the number of shards: it is halved until each grant is worth its writes', () => {
    const sizes = { maxShards: 8, share: 0.1, minImpressions: 8 };
    const worth = (dailyBudget: number) => ({
      ...closed,
      remaining: micros(1e9),
      dayRemaining: micros(1e9),
      dailyBudget: micros(dailyBudget),
    });
    expect(chooseWidth(worth(1e9), 4, 4, sizes)).toBe(4);
    expect(chooseWidth(worth(1e9), 100, 4, sizes)).toBe(8);
    // A grant to each of four is 32 micro-dollars, eight impressions, at 1,440.
    expect(chooseWidth(worth(1_440), 4, 4, sizes)).toBe(4);
    expect(chooseWidth(worth(1_439), 4, 4, sizes)).toBe(2);
    expect(chooseWidth(worth(1_439), 5, 4, sizes)).toBe(2);
    expect(chooseWidth(worth(360), 4, 4, sizes)).toBe(1);
    expect(chooseWidth(worth(359), 4, 4, sizes)).toBe(0);
  });
});

describe('a shard', () => {
  it('pays impressions except for its last micro-dollar, and nothing once it is closed', async () => {
    const paid = { left: 1, spent: 4, impressions: 1 };
    expect(await ofShard({ left: micros(5) }, chargeShard(id, micros(4)))).toMatchObject(paid);
    expect(await ofShard({ left: micros(4) }, chargeShard(id, micros(4)))).toBeNull();
    expect(await ofShard({ left: micros(5), closed: true }, chargeShard(id, micros(4)))).toBeNull();
  });

  it('is closed once, with or without grants, and kept for 90 days', async () => {
    const now = Date.UTC(2026, 10, 20);
    expect(await ofShard(undefined, closeShard(id, now))).toEqual({
      ...shardKey(id),
      closed: true,
      ttl: Date.UTC(2027, 1, 18) / 1000,
    });
    expect(await ofShard({ closed: true }, closeShard(id, now))).toBeNull();
  });

  it('has its own partition', () => {
    expect(shardKey(id)).toEqual({ campaignId: 'cmp_1#1', row: 'shard#2' });
    expect([isShard({ row: 'shard#2' }), isShard({ row: 'money' })]).toEqual([true, false]);
  });
});

describe('closing shards', () => {
  it('starts only in the current opening', async () => {
    expect(await ofBalance(open, beginClosing(open, 99))).toMatchObject({ phase: 'closing', heldUntil: 99 });
    for (const changed of [{ phase: 'closing' as const }, { epoch: 3 }])
      expect(await ofBalance({ ...open, ...changed }, beginClosing(open, 99))).toBeNull();
  });

  it('returns unspent grants and counts the spend of the shards', () => {
    const granted: Balance = { ...open, granted_0: micros(20), granted_1: micros(10) };
    const shards: BudgetShard[] = [
      { ...shardKey({ ...id, shard: 0 }), spent: micros(12), impressions: 3 },
      { ...shardKey(id), closed: true },
    ];
    expect(mergeShards(granted, shards)).toEqual({
      ...closed,
      epoch: 2,
      width: 4,
      remaining: 118,
      dayRemaining: 68,
      spent: 32,
      impressions: 8,
      daySpend: 22,
      dayImpressions: 6,
    });
    const { dayImpressions, daySpend, ...uncounted } = granted;
    expect(mergeShards(uncounted as Balance, shards)).toMatchObject({ daySpend: 12, dayImpressions: 3 });
  });

  it('finds its shards by their grants', () => {
    const granted: Balance = { ...open, granted_0: micros(20), granted_12: micros(10) };
    expect(listGrantedShards(granted)).toEqual([0, 12]);
    expect(getTotalGranted(granted)).toBe(30);
    expect(removeShardState(granted)).toEqual({ ...closed, epoch: 2, width: 4 });
  });
});

it('writeBalance returns the current balance, whether or not the condition held', async () => {
  const db = createMemoryDatabase();
  expect(await writeBalance(db, widenShards(open, 8))).toBeUndefined();
  await db.write({ table: 'ledgers', put: { ...open, row: 'money' } });
  expect(await writeBalance(db, widenShards(open, 8))).toMatchObject({ width: 8 });
  expect(await writeBalance(db, widenShards(open, 16))).toMatchObject({ width: 8 });
});
