import { expect, it } from 'vitest';
import { isCutOtherwise } from '../../../shared/runtimes/cut-otherwise.ts';

/** Text as JSON has it, and as it has it in ASCII alone. */
const escaped = (text: string) =>
  JSON.stringify(text).replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const isPassedOn = (text: string) => [JSON.stringify(text), escaped(text)].map(isCutOtherwise);

it.each([
  ['Lao', 'ເກີບ'],
  ['Khmer', 'ស្បែកជើង'],
  ['a full stop between letters', 'พ.ศ'],
  ['another behind a letter that is no Thai', 'เว็บexample.com'],
  ['one before a run of Chinese', '看example.com网站'],
  ['one that nobody sees beside its letter', 'รองเท้า\u200b.com'],
  ['one behind an accent', 'รองเท้า\u0301.com'],
  ['one of full width', 'รองเท้า．com'],
  ['one that a single sign stands for, with its digit', '\u2488รองเท้า'],
  ['one between a letter and a digit', '東京a.5'],
])('A Worker leaves text with %s to its origin', (_, text) => {
  expect(isPassedOn(text)).toEqual([true, true]);
});

it.each([
  ['an address in English', 'Is example.com any good? It costs 3.50.'],
  ['the end of a sentence', 'รองเท้า. รองเท้า...'],
  ['a number', '价格3.5元'],
  ['an address apart', '看 example.com 网站。'],
])('A Worker itself reads text with %s', (_, text) => {
  expect(isPassedOn(text)).toEqual([false, false]);
});

it('What is no JSON is left to the operation, which refuses it', () => {
  expect(isCutOtherwise('{"ເກີບ')).toBe(false);
});

it('Text is told however deep what stands beside it is nested', () => {
  expect(isCutOtherwise(`["ກ", ${'['.repeat(20_000)}${']'.repeat(20_000)}]`)).toBe(true);
});
