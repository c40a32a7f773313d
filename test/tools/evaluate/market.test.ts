import { expect, test } from 'vitest';
import { assignUsers } from '../../../tools/evaluate/market.ts';

const named = (...names: string[]) => names.map((name, index) => ({ id: `c${index}`, labels: [], body: { name } }));

test('assigns campaigns with the same name to different users, ignoring case', () => {
  expect(new Set(assignUsers(named('Tents', ' tents', 'TENTS'), 'run')).size).toBe(3);
});

test('assigns each user at most as many campaigns as can be created and cancelled in a minute', () => {
  const users = assignUsers(named(...Array.from({ length: 1000 }, (_, index) => `Campaign ${index}`)), 'run');
  for (const user of new Set(users)) expect(users.filter((one) => one === user).length).toBeLessThanOrEqual(50);
});
