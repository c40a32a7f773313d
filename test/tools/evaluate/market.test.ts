import { expect, test } from 'vitest';
import { assignUsers } from '../../../tools/evaluate/market.ts';

const named = (...names: string[]) => names.map((name, index) => ({ id: `c${index}`, labels: [], body: { name } }));

test('campaigns of one name go to different users, whatever its case', () => {
  expect(new Set(assignUsers(named('Tents', ' tents', 'TENTS'), 'run')).size).toBe(3);
});

test('no user gets more campaigns than can be created and cancelled within a minute', () => {
  const users = assignUsers(named(...Array.from({ length: 1000 }, (_, index) => `Campaign ${index}`)), 'run');
  for (const user of new Set(users)) expect(users.filter((one) => one === user).length).toBeLessThanOrEqual(50);
});
