import { expect, test } from 'vitest';
import {
  type Correctness,
  computeFigures,
  type Kind,
  type ScoredBid,
  scoreRow,
} from '../../../tools/evaluate/score.ts';

test.each<[string, { gold: string[]; optional: boolean }, string[] | null, ScoredBid]>([
  [
    'one label of several is enough',
    { gold: ['a', 'b'], optional: false },
    ['x', 'b'],
    { kind: 'positive', outcome: 'right' },
  ],
  ['no label in common is wrong', { gold: ['a'], optional: false }, ['b'], { kind: 'positive', outcome: 'wrong' }],
  ['noBid where an ad is wanted', { gold: ['a'], optional: false }, null, { kind: 'positive', outcome: 'none' }],
  ['noBid where none is wanted', { gold: [], optional: false }, null, { kind: 'negative', outcome: 'none' }],
  [
    'any bid where none is wanted is wrong',
    { gold: [], optional: true },
    ['a'],
    { kind: 'negative', outcome: 'wrong' },
  ],
  ['an optional row may be right', { gold: ['a'], optional: true }, ['a'], { kind: 'optional', outcome: 'right' }],
  [
    'a campaign not of the folder is wrong',
    { gold: ['a'], optional: true },
    [],
    { kind: 'optional', outcome: 'wrong' },
  ],
])('%s', (_, row, labels, expected) => {
  expect(scoreRow(row, labels)).toEqual(expected);
});

const rows = (kind: Kind, counts: Partial<Record<Correctness, number>>): ScoredBid[] =>
  Object.entries(counts).flatMap(([outcome, count]) => Array(count).fill({ kind, outcome }));

test('precision counts all bids, recall the positive rows, and false bids the negative rows', () => {
  const judged = [
    ...rows('positive', { right: 6, wrong: 2, none: 2 }),
    ...rows('negative', { wrong: 1, none: 9 }),
    ...rows('optional', { right: 2, wrong: 1, none: 5 }),
  ];
  expect(computeFigures(judged)).toEqual({
    rows: 28,
    positives: 10,
    negatives: 10,
    optionals: 8,
    bids: 12,
    noBids: 16,
    precision: 8 / 12,
    recall: 0.6,
    f1: (2 * (8 / 12) * 0.6) / (8 / 12 + 0.6),
    falseBids: 1,
    falseBidRate: 0.1,
  });
});

test.each<[string, ScoredBid[]]>([
  ['no rows', []],
  ['no bids', rows('positive', { none: 3 })],
  ['only wrong bids', rows('positive', { wrong: 3 })],
])('with %s the shares are 0, not NaN', (_, judged) => {
  expect(computeFigures(judged)).toMatchObject({ precision: 0, recall: 0, f1: 0, falseBidRate: 0 });
});
