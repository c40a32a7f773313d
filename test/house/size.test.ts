import { expect, it } from 'vitest';
import { isCode, sources } from './sources.ts';

const MOST_LINES_OF_A_FILE = 250;
const MOST_LINES_OF_A_FUNCTION = 70;

/** Data, which nobody reads from top to bottom. */
const DATA = [
  'shared/bids/crawler-names.ts', // made by a command: the names of crawlers
];

const code = sources().filter(isCode);

it('has files of at most 250 lines', () => {
  const long = code.filter(({ path, lines }) => !DATA.includes(path) && lines > MOST_LINES_OF_A_FILE);
  expect(long.map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
});

it('has functions of at most 70 lines', () => {
  const long = code.flatMap(({ path, functions }) =>
    functions()
      .filter(({ lines }) => lines > MOST_LINES_OF_A_FUNCTION)
      .map(({ line, lines }) => `${path}:${line}: ${lines}`),
  );
  expect(long).toEqual([]);
});
