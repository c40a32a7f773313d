import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { isCode, sources } from './sources.ts';

const MOST_LINES_OF_A_FILE = 250;
const MOST_LINES_OF_A_FUNCTION = 70;
const MOST_FILES_OF_A_FOLDER = 40;

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

it('has at most 40 files in a folder', () => {
  const folders = Map.groupBy(code, ({ path }) => dirname(path));
  const full = [...folders].filter(([, files]) => files.length > MOST_FILES_OF_A_FOLDER);
  expect(full.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([]);
});
