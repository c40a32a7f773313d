import { expect, it } from 'vitest';
import { createSettingsReader } from '../../../shared/keys/key-settings.ts';
import type { Database } from '../../../shared/platform/database.ts';
import { createMemoryDatabase } from '../../memory/database.ts';
import { createTestClock } from '../../service.ts';

it('settings are read about once in ten seconds, and no request waits for the read of another', async () => {
  const clock = createTestClock();
  const memory = createMemoryDatabase();
  let reads = 0;
  const db: Database = {
    ...memory,
    get: (table, key) => (reads++ === 0 ? new Promise(() => {}) : memory.get(table, key)),
  };
  const settingsOf = createSettingsReader({ db, clock });
  void settingsOf('key'); // its request is aborted, and the read with it
  const settings = await settingsOf('key');
  expect(await settingsOf('key')).toBe(settings);
  expect(reads).toBe(2);
  clock.advance(10_000);
  await settingsOf('key');
  expect(reads).toBe(3);
});
