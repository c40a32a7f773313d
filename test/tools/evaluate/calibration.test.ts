import { expect, test } from 'vitest';
import { calibrate, type PredictedRelevance } from '../../../tools/evaluate/calibration.ts';

const claims = (score: number, right: number, wrong: number): PredictedRelevance[] => [
  ...Array(right).fill({ score, right: true }),
  ...Array(wrong).fill({ score, right: false }),
];

test('returns an error of 0 if relevance equals the share of correct ads', () => {
  expect(calibrate([...claims(0.75, 3, 1), ...claims(0.25, 1, 3)])).toMatchObject({ error: 0, weighted: 0 });
});

test('computes the mean error of non-empty bins, and the mean weighted by their count', () => {
  const { bins, error, weighted } = calibrate([...claims(0.95, 0, 10), ...claims(0.5, 15, 15)]);
  expect(bins[9]).toMatchObject({ from: 0.9, to: 1, count: 10, observed: 0 });
  expect(bins[9]!.predicted).toBeCloseTo(0.95);
  expect(bins[5]).toMatchObject({ count: 30, predicted: 0.5, observed: 0.5 });
  expect(error).toBeCloseTo(0.95 / 2);
  expect(weighted).toBeCloseTo(0.95 / 4);
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
  expect(calibrate(claims(score, 1, 0)).bins.map((one) => one.count)).toEqual(
    Array.from({ length: 10 }, (_, index) => (index === bin ? 1 : 0)),
  );
});

test('returns an error of 0 without predictions', () => {
  expect(calibrate([])).toMatchObject({ error: 0, weighted: 0 });
});
