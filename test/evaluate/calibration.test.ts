import { expect, test } from 'vitest';
import { calibrate } from './calibration.ts';

const bids = (score: number, right: number, wrong: number) => [
  ...Array(right).fill({ score, outcome: 'right' }),
  ...Array(wrong).fill({ score, outcome: 'wrong' }),
];

test('relevance that says how often it is right has no error', () => {
  expect(calibrate([...bids(0.75, 3, 1), ...bids(0.25, 1, 3)]).error).toBe(0);
});

test('each bin weighs as much as it has bids', () => {
  const { bins, error } = calibrate([...bids(0.95, 0, 10), ...bids(0.5, 15, 15)]);
  expect(bins[9]).toMatchObject({ from: 0.9, to: 1, bids: 10, observed: 0 });
  expect(bins[9]!.claimed).toBeCloseTo(0.95);
  expect(bins[5]).toMatchObject({ bids: 30, claimed: 0.5, observed: 0.5 });
  expect(error).toBeCloseTo(0.95 / 4);
});

test.each([
  [0, 0],
  [0.0999, 0],
  [0.1, 1],
  [0.3, 3],
  [0.7, 7],
  [0.9999, 9],
  [1, 9],
])('a relevance of %d is in bin %d', (score, bin) => {
  expect(calibrate(bids(score, 1, 0)).bins.map(({ bids }) => bids)).toEqual(
    Array.from({ length: 10 }, (_, index) => (index === bin ? 1 : 0)),
  );
});

test('without bids there is no error', () => {
  expect(calibrate([]).error).toBe(0);
});
