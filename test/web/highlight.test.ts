import { expect, test } from 'vitest';
import { highlight } from '../../web/highlight.ts';

const marked = (text: string, terms: string[]) =>
  highlight(text, terms)
    .map(({ text, isTerm }) => (isTerm ? `[${text}]` : text))
    .join('');

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
])('%j is marked by %j', (text, terms, said) => {
  expect(marked(text, terms)).toBe(said);
});

test('a text comes back whole, whatever is marked', () => {
  const text = '<b>shoes</b> & "shoes"\n\u{1f45f} shoes';
  expect(
    highlight(text, ['shoes', 'b'])
      .map((segment) => segment.text)
      .join(''),
  ).toBe(text);
});
