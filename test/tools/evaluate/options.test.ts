import { expect, test } from 'vitest';
import { EvaluationError, readOptions } from '../../../tools/evaluate/options.ts';

test('evaluates every row of a folder in its own service by default', () => {
  expect(readOptions(['folder'])).toEqual({
    folders: ['folder'],
    url: undefined,
    out: undefined,
    judge: undefined,
    strictness: 'balanced',
    limit: Infinity,
    errors: 0,
  });
});

test('parses all options, and removes a trailing slash from the URL', () => {
  expect(
    readOptions([
      '--url',
      'http://localhost:3000/',
      'f',
      '--out',
      'o.jsonl',
      '--limit',
      '12',
      '--errors',
      '3',
      '--strictness',
      'open',
    ]),
  ).toEqual({
    folders: ['f'],
    url: 'http://localhost:3000',
    out: 'o.jsonl',
    judge: undefined,
    strictness: 'open',
    limit: 12,
    errors: 3,
  });
});

test.each([
  ['no folder', [], /Name a folder/],
  ['an unknown option', ['a', '--fast'], /Unknown option '--fast'/],
  ['a judge that is none', ['a', '--judge', 'gpt'], /--judge gpt: must be openai, bedrock, or labels/],
  ['a judge for a running service', ['a', '--judge', 'labels', '--url', 'http://x'], /cannot be combined with --url/],
  ['a strictness that is none', ['a', '--strictness', 'lax'], /--strictness lax: must be strict, balanced, or open/],
  ['an option without its value', ['a', '--limit'], /--limit/],
  ['a limit of none', ['a', '--limit', '0'], /--limit 0: must be a whole number from 1/],
  ['a limit that is no number', ['a', '--limit', 'many'], /--limit many/],
  ['an address of another kind', ['a', '--url', 'ftp://localhost'], /--url ftp:\/\/localhost: must be an http/],
  ['an address that is none', ['a', '--url', 'localhost'], /--url localhost/],
])('rejects %s in one line', (_, args, message) => {
  expect(() => readOptions(args)).toThrow(EvaluationError);
  expect(() => readOptions(args)).toThrow(message);
  expect(() => readOptions(args)).not.toThrow(/\n/);
});
