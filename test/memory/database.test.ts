import { describe, expect, it } from 'vitest';
import type { Database, Write } from '../../shared/platform/database.ts';
import { useService } from '../service.ts';
import { comparableDatabase } from './comparable-database.ts';
import { createMemoryDatabase } from './database.ts';

const service = useService();
const key = { campaignId: 'c', row: 'r' };
const put = (item: object, more: Partial<Write> = {}): Write =>
  ({ table: 'ledgers', put: { ...key, ...item }, ...more }) as Write;
const update = (text: string, values: object, when?: string): Write =>
  ({ table: 'ledgers', key, update: text, values, when }) as Write;

/** Sequences of operations on one item. Every response is compared. */
const stories: [string, (db: Database) => Promise<unknown[]>][] = [
  [
    'conditions',
    async (db) => {
      await db.write(put({ a: 5, b: 'x', day: '2026-11-20', list: [1], deep: { c: null } }));
      const holds = async (when: string, values?: Write['values']) =>
        (await db.write(put({ a: 5, b: 'x', day: '2026-11-20' }, { when, values }))).ok;
      return [
        await holds('#a = :a AND #b = :b', { a: 5, b: 'x' }),
        await holds('#a > :a', { a: 5 }),
        await holds('#a >= :a AND #a <= :a AND #a < :more', { a: 5, more: 6 }),
        await holds('#missing > :a OR #missing <= :a', { a: 5 }),
        await holds('#missing <> :a', { a: 5 }),
        await holds('#a = :text', { text: '5' }),
        await holds('attribute_exists(#a) AND attribute_not_exists(#missing)'),
        await holds('(#a = :a OR #b = :a) AND #day < :day', { a: 5, day: '2026-11-21' }),
        await holds('#a = :b OR #a = :a AND #b = :c', { a: 5, b: 6, c: 'x' }),
        await holds('#a < #b', undefined),
        await holds('#a >= #a', undefined),
      ];
    },
  ],
  [
    'updates',
    async (db) => [
      await db.write(update('ADD #count :one', { one: 1 }), 'new'),
      await db.write(update('SET #a = #count + :two, #count = #count - :two ADD #other :two', { two: 2 }), 'new'),
      await db.write(update('SET #a = if_not_exists(#a, :zero), #b = if_not_exists(#b, :zero)', { zero: 0 }), 'new'),
      await db.write(update('SET #a = if_not_exists(#none.#such, :zero)', { zero: 0 }), 'new'),
      await db.write(update('ADD #a :one', { one: 1 }, '#a > :one')),
      await db.write(update('ADD #a :one', { one: 1 }, '#a < :one'), 'new'),
      await db.get('ledgers', key),
    ],
  ],
  [
    'transactions',
    async (db) => [
      await db.transact([put({ a: 1 }), { table: 'limits', put: { subject: 's', count: 1 } }]),
      await db.transact([
        update('ADD #a :one', { one: 1 }),
        { table: 'limits', key: { subject: 's' }, check: true, when: '#count > :one', values: { one: 1 } },
      ]),
      await db.get('ledgers', key),
      await db.transact([
        { table: 'ledgers', key, remove: true, when: '#a = :one', values: { one: 1 } },
        { table: 'limits', key: { subject: 's' }, remove: true },
      ]),
      await db.getAll('ledgers', [key, { campaignId: 'c', row: 'other' }]),
    ],
  ],
  [
    'queries',
    async (db) => {
      for (const row of ['day#2026-11-21', 'money', 'day#2026-11-19', 'day#2026-11-20']) await db.write(put({ row }));
      const rows = async (more: object) => {
        const where = '#campaignId = :id AND #row BETWEEN :from AND :to';
        const values = { id: 'c', from: 'day#2026-11-20', to: 'day#2026-11-21' };
        const found = [];
        for await (const item of db.query({ table: 'ledgers', where, values, ...more })) found.push(item.row);
        return found;
      };
      return [await rows({}), await rows({ newestFirst: true, limit: 1 })];
    },
  ],
];

describe('The in-memory database', () => {
  it.each(stories)('responds like the DynamoDB stand-in: %s', async (_, story) => {
    const { db } = service.stack.effects;
    const real = await story(db);
    for (const row of ['r', 'money', 'day#2026-11-19', 'day#2026-11-20', 'day#2026-11-21']) {
      await db.write({ table: 'ledgers', key: { campaignId: 'c', row }, remove: true });
    }
    expect(await story(createMemoryDatabase())).toEqual(real);
  });

  it('fails the comparison if the stand-in rejects a call or responds differently', async () => {
    const large = comparableDatabase(createMemoryDatabase());
    await large.database.write(put({ text: 'x'.repeat(500_000) }));
    await expect(large.compare()).rejects.toThrow();

    const fraction = comparableDatabase(createMemoryDatabase());
    await fraction.database.write(update('ADD #sum :tenth', { tenth: 0.1 }));
    await fraction.database.write(update('ADD #sum :fifth', { fifth: 0.2 }), 'new');
    await expect(fraction.compare()).rejects.toThrow('on the stand-in and in memory');
  });

  it('rejects what DynamoDB rejects: unused values, and two operations on one item', async () => {
    const unused = update('ADD #a :one', { one: 1, two: 2 });
    const twice = [put({ a: 1 }), update('ADD #a :one', { one: 1 })];
    for (const db of [createMemoryDatabase(), service.stack.effects.db]) {
      await expect(db.write(unused)).rejects.toThrow();
      await expect(db.transact(twice)).rejects.toThrow();
    }
  });
});
