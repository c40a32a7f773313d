import { expect, test } from 'vitest';
import { percentile } from '../../tools/statistics.ts';

const hundred = Array.from({ length: 100 }, (_, index) => index + 1);

test.each<[number[], number, number]>([
  [hundred, 0.5, 50],
  [hundred, 0.99, 99],
  [hundred, 1, 100],
  [hundred, 0, 1],
  [[7], 0.5, 7],
  [[1, 2, 3], 0.5, 2],
  [[], 0.5, 0],
])('for %j, the share %d is at most %d', (values, share, expected) => {
  expect(percentile(values, share)).toBe(expected);
});
