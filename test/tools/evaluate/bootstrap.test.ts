import { expect, test } from 'vitest';
import { bootstrap } from '../../../tools/evaluate/bootstrap.ts';
import { generator } from '../../../tools/random.ts';

const mean = (values: number[]) => ({ mean: values.reduce((sum, value) => sum + value, 0) / values.length });
const share = (ones: number, of: number) => Array.from({ length: of }, (_, index) => (index < ones ? 1 : 0));

test('returns the same intervals for the same input', () => {
  expect(bootstrap(share(30, 100), mean)).toEqual(bootstrap(share(30, 100), mean));
});

test('returns an interval of the theoretical width for a share', () => {
  const { low, high } = bootstrap(share(300, 1000), mean).mean;
  const theory = 1.96 * Math.sqrt((0.3 * 0.7) / 1000);
  expect(Math.abs(low - (0.3 - theory))).toBeLessThan(0.005);
  expect(Math.abs(high - (0.3 + theory))).toBeLessThan(0.005);
});

test('returns a narrower interval for more rows', () => {
  const width = (rows: number) => {
    const { low, high } = bootstrap(share(rows / 2, rows), mean).mean;
    return high - low;
  };
  expect(width(1000)).toBeLessThan(width(100) / 2);
});

test('returns an interval of width 0 for a constant', () => {
  expect(bootstrap(share(5, 5), mean)).toEqual({ mean: { low: 1, high: 1 } });
});

test('random numbers are uniform over 0 to 1 and depend on the seed', () => {
  const random = generator(1);
  const numbers = Array.from({ length: 10_000 }, random);
  for (let tenth = 0; tenth < 10; tenth++) {
    const inside = numbers.filter((number) => Math.floor(number * 10) === tenth).length;
    expect(Math.abs(inside - 1000)).toBeLessThan(120);
  }
  expect(generator(2)()).not.toBe(numbers[0]);
});
