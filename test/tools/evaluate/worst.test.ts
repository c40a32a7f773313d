import { expect, test } from 'vitest';
import type { EvaluatedRow } from '../../../tools/evaluate/measure.ts';
import { findWorst, lastMessages } from '../../../tools/evaluate/worst.ts';

const answered = (id: string, change: Partial<EvaluatedRow>, contents: string[] = []): EvaluatedRow => ({
  kind: 'positive',
  outcome: 'wrong',
  row: {
    id,
    line: 1,
    source: '-',
    slice: '-',
    countryCode: 'US',
    messages: contents.map((content) => ({ role: 'user', content })),
    gold: [],
    optional: false,
  },
  serviceId: null,
  campaign: undefined,
  score: 0.5,
  best: undefined,
  bestCampaign: undefined,
  ms: 1,
  ...change,
});

test('lists the given number of wrong bids and missed rows, highest relevance first', () => {
  const { wrong, missed } = findWorst(
    [
      answered('wrong-low', { score: 0.4 }),
      answered('wrong-high', { score: 0.9, kind: 'negative' }),
      answered('wrong-middle', { score: 0.6, kind: 'optional' }),
      answered('missed-far', { outcome: 'none', score: 0 }),
      answered('missed-near', { outcome: 'none', score: 0.29 }),
      answered('silent', { outcome: 'none', kind: 'negative', score: 0.29 }),
      answered('not required', { outcome: 'none', kind: 'optional', score: 0.29 }),
      answered('right', { outcome: 'right', score: 1 }),
    ],
    2,
  );
  expect(wrong.map(({ row }) => row.id)).toEqual(['wrong-high', 'wrong-middle']);
  expect(missed.map(({ row }) => row.id)).toEqual(['missed-near', 'missed-far']);
});

test.each([
  ['only the last messages are shown', ['1', '2', '3', '4'], ['user: 2', 'user: 3', 'user: 4']],
  ['a message stays on its line and rings no bell', ['a\n\n b\u0007\tc '], ['user: a b c']],
  ['a message is shortened between characters', ['😀'.repeat(111)], [`user: ${'😀'.repeat(109)}…`]],
  ['a message that fits is unchanged', ['x'.repeat(110)], [`user: ${'x'.repeat(110)}`]],
])('%s', (_, contents, expected) => {
  expect(lastMessages(answered('r', {}, contents))).toEqual(expected);
});
