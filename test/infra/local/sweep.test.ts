import { expect, it } from 'vitest';
import { tableNames, tableShape } from '../../../shared/platform/tables.ts';
import { untyped } from '../../memory/untyped-database.ts';
import { useService } from '../../service.ts';

const service = useService();
const timed = tableNames.filter((name) => tableShape(name).ttl);

it.each(timed)('deletes only expired items from %s', async (table) => {
  const db = untyped(service.stack.effects.db);
  const seconds = Math.floor(service.clock.now() / 1000);
  const item = (name: string, ttl?: number) => ({
    ...Object.fromEntries(tableShape(table).key.flatMap((part) => (part ? [[part, name]] : []))),
    ...(ttl && { ttl }),
  });
  const items = [item('past', seconds - 1), item('now', seconds), item('later', seconds + 1), item('forever')];
  for (const put of items) await db.write({ table, put });
  expect(await service.stack.sweep()).toBe(1);
  const kept = await Promise.all(items.map(async (key) => (await db.get(table, keyOf(table, key))) !== undefined));
  expect(kept).toEqual([false, true, true, true]);
  for (const key of items) await db.write({ table, key: keyOf(table, key), remove: true });
});

const keyOf = (table: (typeof timed)[number], item: Record<string, unknown>) =>
  Object.fromEntries(tableShape(table).key.flatMap((part) => (part ? [[part, item[part]]] : [])));
