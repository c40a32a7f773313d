import { describe, expect, it } from 'vitest';
import { emptyBalance } from '../../../shared/budgets/balance.ts';
import { compactTotals } from '../../../shared/budgets/counts.ts';
import { DAY_COUNTS } from '../../../shared/budgets/day-counts.ts';
import { ledgerStore } from '../../../shared/budgets/ledger.ts';
import { closeOldDays } from '../../../shared/budgets/shards/close-shards.ts';
import { createOpeningCache } from '../../../shared/budgets/shards/opening-cache.ts';
import { DAY_MS, MINUTE_MS, utcDay } from '../../../shared/platform/clock.ts';
import type { Database } from '../../../shared/platform/database.ts';
import { micros } from '../../../shared/platform/values/money.ts';
import { createMemoryDatabase } from '../../memory/database.ts';
import { untyped } from '../../memory/untyped-database.ts';
import { createTestClock } from '../../service.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const TODAY = '2026-11-20';
const ago = (days: number) => utcDay(NOW - days * DAY_MS);
const compact = (date: string) => date.replaceAll('-', '');

async function ledgersOf(...rows: object[]) {
  const db = createMemoryDatabase();
  for (const put of rows) await untyped(db).write({ table: 'ledgers', put });
  return { db, ledgers: ledgerStore({ db }) };
}
const balance = {
  ...emptyBalance('a'),
  row: 'money',
  day: TODAY,
  countDay: TODAY,
  dayImpressions: 2,
  daySpend: micros(8),
};
const open = { ...balance, phase: 'open', epoch: 2, width: 2, remaining: micros(80), granted_0: micros(20) };
const shard = {
  campaignId: 'a#0',
  row: 'shard#2',
  granted: micros(20),
  left: micros(8),
  spent: micros(12),
  impressions: 3,
};

describe('ledgerStore.performance', () => {
  it('returns balances and totals in the given order, and zeros without a ledger', async () => {
    const { ledgers } = await ledgersOf(
      balance,
      { campaignId: 'a', row: 'total', clicks: 7 },
      { ...balance, campaignId: 'b' },
    );
    const told = await ledgers.performance(['none', 'b', 'a']);
    expect(told.map(({ campaignId, dayImpressions, clicks }) => [campaignId, dayImpressions, clicks])).toEqual([
      ['none', undefined, 0],
      ['b', 2, 0],
      ['a', 2, 7],
    ]);
  });

  it('includes the spend and the rest of open shards', async () => {
    const { ledgers } = await ledgersOf(open, shard, { campaignId: 'a#1', row: 'shard#2', spent: micros(500) });
    const [told] = await ledgers.performance(['a']);
    expect(told).toMatchObject({ remaining: 88, spent: 12, impressions: 3, daySpend: 20, dayImpressions: 5 });
    expect(told).not.toHaveProperty('phase');
  });

  it('reads no shards if none is open or has a grant', async () => {
    for (const stored of [balance, { ...open, granted_0: undefined }]) {
      const { db } = await ledgersOf(stored);
      let reads = 0;
      const counting: Database = { ...db, getAll: (table, keys) => db.getAll(table, keys).finally(() => reads++) };
      await ledgerStore({ db: counting }).performance(['a']);
      expect(reads).toBe(1);
    }
  });
});

describe('ledgerStore.days', () => {
  const rows = [
    balance,
    { campaignId: 'a', row: 'total', clicks: 9, [`clicks_${compact(ago(1))}`]: 4, [`clicks_${compact(ago(5))}`]: 5 },
    { campaignId: 'a', row: `day#${ago(3)}`, impressions: 6, spend: 24 },
    { campaignId: 'a', row: `day#${ago(8)}`, impressions: 1, spend: 4 },
    { campaignId: 'b', row: `day#${ago(3)}`, impressions: 100 },
  ];
  const shown = (days: readonly { date: string; impressions: number; clicks: number }[]) =>
    days.map(({ date, impressions, clicks }) => [date, impressions, clicks]);

  it('returns the days with activity, both ends inclusive, oldest first', async () => {
    const { ledgers } = await ledgersOf(...rows);
    expect(shown(await ledgers.days('a', ago(5), TODAY))).toEqual([
      [ago(5), 0, 5],
      [ago(3), 6, 0],
      [ago(1), 0, 4],
      [TODAY, 2, 0],
    ]);
    expect(shown(await ledgers.days('a', ago(4), ago(1)))).toEqual([
      [ago(3), 6, 0],
      [ago(1), 0, 4],
    ]);
    expect(await ledgers.days('none', ago(9), TODAY)).toEqual([]);
  });

  it('counts a day once if it moves to its row after the totals were read', async () => {
    const { db } = await ledgersOf(...rows);
    const consistent: unknown[] = [];
    const moving: Database = {
      ...db,
      async *query(asked) {
        consistent.push(asked.consistent);
        if (consistent.length === 1)
          for (const write of [
            { key: { campaignId: 'a', row: 'total' }, update: `REMOVE #clicks_${compact(ago(1))}` },
            { key: { campaignId: 'a', row: `day#${ago(1)}` }, update: 'ADD #clicks :four', values: { four: 4 } },
          ])
            await untyped(db).write({ table: 'ledgers', ...write });
        yield* db.query(asked);
      },
    };
    const days = await ledgerStore({ db: moving }).days('a', ago(2), ago(1));
    expect(shown(days)).toEqual([[ago(1), 0, 4]]);
    expect(consistent).toEqual([true, true]);
  });

  it('counts an earlier day of many campaigns once, also if it moved to its row after the totals were read', async () => {
    const { db, ledgers } = await ledgersOf(...rows);
    const told = await ledgers.performance(['a', 'b']);
    const before = await ledgers.earlierDayOfAll(told, ago(1));
    expect(shown(before)).toEqual([[ago(1), 0, 4]]);
    for (const write of [
      { key: { campaignId: 'a', row: 'total' }, update: `REMOVE #clicks_${compact(ago(1))}` },
      { key: { campaignId: 'a', row: `day#${ago(1)}` }, update: 'ADD #clicks :four', values: { four: 4 } },
    ])
      await untyped(db).write({ table: 'ledgers', ...write });
    expect(await ledgers.earlierDayOfAll(told, ago(1))).toEqual(before);
    expect(await ledgers.earlierDayOfAll(told, ago(3))).toEqual(await ledgers.dayOfAll(told, ago(3)));
  });

  it('returns one day of many campaigns, only those with activity', async () => {
    const { ledgers } = await ledgersOf(...rows);
    const told = await ledgers.performance(['a', 'b']);
    const on = async (date: string) =>
      (await ledgers.dayOfAll(told, date)).map(({ campaignId, impressions, clicks }) => [
        campaignId,
        impressions,
        clicks,
      ]);
    expect(await on(ago(3))).toEqual([
      ['a', 6, 0],
      ['b', 100, 0],
    ]);
    expect(await on(ago(1))).toEqual([['a', 0, 4]]);
    expect(await on(TODAY)).toEqual([['a', 2, 0]]);
    expect(await on(ago(2))).toEqual([]);
  });
});

describe('compactTotals', () => {
  const day = (days: number) => ({ [`clicks_${compact(ago(days))}`]: days });
  const daysFrom = (first: number, count: number) =>
    Object.assign({}, ...Array.from({ length: count }, (_, at) => day(first + at))) as object;
  const hour = (hours: number) => Math.floor((NOW - hours * 60 * MINUTE_MS) / (60 * MINUTE_MS)).toString(36);
  const position = (name: string, hours: number) => ({ [`at_${name}`]: `${'0'.repeat(23)}@${hour(hours)}` });
  const total = (more: object) => ({ campaignId: 'a', row: 'total' as const, clicks: 50, ...more });

  async function tidied(more: object) {
    const { db } = await ledgersOf(total(more));
    const clock = createTestClock();
    clock.set(NOW);
    await compactTotals({ db, clock }, total(more) as Parameters<typeof compactTotals>[1]);
    const kept = { ...(await untyped(db).get('ledgers', { campaignId: 'a', row: 'total' })) };
    const moved = db.items('ledgers').filter(({ row }) => String(row).startsWith('day#'));
    return { kept, moved: moved.map(({ row, clicks }) => [row, clicks]), db, clock };
  }

  it('keeps up to eight ended days and eight ended positions', async () => {
    const few = { ...daysFrom(6, 8), ...Object.assign({}, ...'abcdefgh'.split('').map((name) => position(name, 60))) };
    expect((await tidied(few)).kept).toEqual(total(few));
  });

  it('moves more than eight ended days to their own rows, with their counts', async () => {
    const { kept, moved } = await tidied(daysFrom(6, 9));
    expect(kept).toEqual(total({}));
    expect(moved.sort()).toEqual(Array.from({ length: 9 }, (_, at) => [`day#${ago(6 + at)}`, 6 + at]).sort());
  });

  it('moves ten days at once', async () => {
    expect((await tidied(daysFrom(6, 12))).moved).toHaveLength(10);
  });

  it('moves ten days of all counts with expressions of at most 4 KB', async () => {
    const counts = DAY_COUNTS.flatMap((name) =>
      Array.from({ length: 10 }, (_, at) => [`${name}_${compact(ago(6 + at))}`, 1]),
    );
    const row = total(Object.fromEntries(counts));
    const { db } = await ledgersOf(row);
    const clock = createTestClock();
    clock.set(NOW);
    const sizes: number[] = [];
    const transact: Database['transact'] = (writes) => {
      for (const write of writes)
        sizes.push('update' in write ? write.update.length : 0, 'when' in write ? write.when!.length : 0);
      return db.transact(writes);
    };
    await compactTotals({ db: { ...db, transact }, clock }, row as Parameters<typeof compactTotals>[1]);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(4_096);
    expect(db.items('ledgers')).toHaveLength(11);
  });

  it('moves a conversion value beyond the safe integers as the largest one', async () => {
    const name = `conversionValue_${compact(ago(6))}`;
    const { kept, db } = await tidied({ ...daysFrom(7, 8), [name]: 9e18 });
    expect(kept).toEqual(total({}));
    expect(await untyped(db).get('ledgers', { campaignId: 'a', row: `day#${ago(6)}` })).toMatchObject({
      conversionValue: Number.MAX_SAFE_INTEGER,
    });
  });

  it('keeps today and the five days before it, which may still get statements', async () => {
    const { kept } = await tidied(daysFrom(0, 15));
    expect(kept).toEqual(total(daysFrom(0, 6)));
  });

  it('removes positions older than 52 hours, fifty at once', async () => {
    const old = Object.assign({}, ...Array.from({ length: 51 }, (_, at) => position(`o${at}`, 53))) as object;
    const young = position('young', 52);
    const { kept } = await tidied({ ...old, ...young });
    expect(Object.keys(kept).filter((name) => name.startsWith('at_'))).toEqual(['at_o50', 'at_young']);
  });

  it('omits the condition if no day moves, because DynamoDB rejects an empty one', async () => {
    const old = Object.assign({}, ...Array.from({ length: 9 }, (_, at) => position(`o${at}`, 53))) as object;
    const { db, clock } = await tidied({});
    const written: object[] = [];
    const watched = { ...db, transact: async (writes: object[]) => written.push(...writes) } as unknown as Database;
    await compactTotals({ db: watched, clock }, total(old) as Parameters<typeof compactTotals>[1]);
    expect(written).toHaveLength(1);
    expect(written[0]).not.toHaveProperty('when');
  });

  it('changes nothing if a day was increased or moved at the same time', async () => {
    const { db } = await ledgersOf(total({ ...daysFrom(6, 9), ...day(6), [`clicks_${compact(ago(6))}`]: 99 }));
    const clock = createTestClock();
    clock.set(NOW);
    await compactTotals({ db, clock }, total(daysFrom(6, 9)) as Parameters<typeof compactTotals>[1]);
    expect(db.items('ledgers')).toHaveLength(1);
  });
});

describe('createOpeningCache', () => {
  const seen = (more: object = {}) =>
    ({ ...open, ...more }) as unknown as Parameters<ReturnType<typeof createOpeningCache>['update']>[0];
  function known() {
    const clock = createTestClock();
    clock.set(NOW);
    return { clock, ...createOpeningCache({ clock }) };
  }

  it('keeps one opening per epoch, with the last seen balance', () => {
    const { update, find } = known();
    const first = update(seen());
    expect(update(seen({ remaining: micros(1) }))).toBe(first);
    expect(find('a')).toBe(first);
    expect(first!.balance.remaining).toBe(1);
    expect(update(seen({ epoch: 3 }))).not.toBe(first);
  });

  it('drops an opening that is closed, closing, or forgotten', () => {
    const { update, find, has, forget } = known();
    for (const end of [{ phase: undefined }, { phase: 'closing' }]) {
      update(seen());
      expect(update(seen(end))).toBeUndefined();
      expect([find('a'), has('a')]).toEqual([undefined, false]);
    }
    update(seen());
    forget('a');
    expect([find('a'), has('a')]).toEqual([undefined, false]);
    expect(update(undefined)).toBeUndefined();
  });

  it('finds an opening of today or of a faster clock, but not of an ended day', () => {
    const { update, find, has, clock } = known();
    expect(update(seen({ day: ago(-1) }))).toBeDefined();
    expect(update(seen({ day: ago(1) }))).toBeUndefined();
    update(seen());
    clock.set(NOW + DAY_MS);
    expect(has('a')).toBe(true);
    expect(find('a')).toBeUndefined();
  });
});

it('closeOldDays closes only balances that are still open on an ended day', async () => {
  const yesterday = { ...open, day: ago(1), countDay: ago(1) };
  const { db } = await ledgersOf(
    { ...yesterday, campaignId: 'old', granted_0: undefined },
    { ...open, campaignId: 'today', granted_0: undefined },
    { ...balance, campaignId: 'closed', day: ago(1) },
  );
  const clock = createTestClock();
  clock.set(NOW);
  const others = () => ['today', 'closed'].map((campaignId) => db.item('ledgers', { campaignId, row: 'money' }));
  const before = others();
  await closeOldDays({ db, clock }, ['old', 'today', 'closed', 'none']);
  expect(db.item('ledgers', { campaignId: 'old', row: 'money' })).not.toHaveProperty('phase');
  expect(others()).toEqual(before);
  expect(db.items('ledgers')).toHaveLength(3);
});
