import { expect, test } from 'vitest';
import { findRanges, highlight, type Range } from '../../web/highlight.ts';

const marked = (text: string, ranges: readonly Range[]) =>
  highlight(text, ranges)
    .map(({ text, isMarked }) => (isMarked ? `[${text}]` : text))
    .join('');

test.each<[Range[], string]>([
  [[], 'running shoes'],
  [[{ start: 0, end: 7 }], '[running] shoes'],
  [
    [
      { start: 8, end: 13 },
      { start: 0, end: 7 },
    ],
    '[running] [shoes]',
  ],
  [
    [
      { start: 0, end: 13 },
      { start: 8, end: 13 },
    ],
    '[running shoes]',
  ],
  [
    [
      { start: 0, end: 9 },
      { start: 8, end: 13 },
    ],
    '[running shoes]',
  ],
  [[{ start: 8, end: 99 }], 'running [shoes]'],
])('marks the ranges %j', (ranges, said) => {
  expect(marked('running shoes', ranges)).toBe(said);
});

test.each([
  ['Which Running Shoes?', ['running shoes', 'shoes'], 'Which [Running Shoes]?'],
  ['I run, and my feet hurt when I run.', ['feet hurt when i run'], 'I run, and my [feet hurt when I run].'],
  ['Shoes that are for running', ['running shoes'], '[Shoes] that are for [running]'],
  ['One shoe is enough', ['shoes'], 'One [shoe] is enough'],
  ['A cartoon about a car', ['car'], 'A cartoon about a [car]'],
  ['Une école à Genève', ['école'], 'Une [école] à Genève'],
  ['nothing here', [], 'nothing here'],
  ['', ['shoes'], ''],
  ['a.b*c (d)', ['b*c'], 'a.[b*c] (d)'],
])('in %j, finds the terms %j', (text, terms, said) => {
  expect(marked(text, findRanges(text, terms))).toBe(said);
});

test('returns the whole text, whatever is marked', () => {
  const text = '<b>shoes</b> & "shoes"\n\u{1f45f} shoes';
  expect(
    highlight(text, findRanges(text, ['shoes', 'b']))
      .map((segment) => segment.text)
      .join(''),
  ).toBe(text);
});
