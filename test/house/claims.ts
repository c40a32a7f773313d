import { expect, it } from 'vitest';
import { isCode, type SourceFile, sources } from './sources.ts';

/*
 * What the compiler is told without proof, it cannot check. Better types take the place of most: a record made by `recordOf`, an
 * annotation of what JSON holds, a loop over what is there. Who needs fewer lowers the bound.
 */
const MOST_CASTS = 56;
const MOST_NON_NULLS_OF_MATCHING = 130;

const built = sources().filter((source) => isCode(source) || /^(events|packages\/examples)\//.test(source.path));
const linesOf = (files: SourceFile[], kind: 'casts' | 'nonNulls') =>
  files.flatMap((source) => source.claims()[kind].map((line) => `${source.path}:${line}`));

it('has few casts outside of tests', () => {
  const casts = linesOf(built, 'casts');
  expect(casts.length, casts.join('\n')).toBeLessThanOrEqual(MOST_CASTS);
});

it('says of few numbers of matching that they are there: of typed arrays, mostly, within their bounds', () => {
  const matching = built.filter(({ path }) => path.startsWith('shared/matching/'));
  const nonNulls = linesOf(matching, 'nonNulls');
  expect(nonNulls.length, nonNulls.join('\n')).toBeLessThanOrEqual(MOST_NON_NULLS_OF_MATCHING);
});

it('has nothing that silences the compiler', () => {
  const silenced = built.filter(({ text }) => /@ts-(ignore|expect-error|nocheck)/.test(text));
  expect(silenced.map(({ path }) => path)).toEqual([]);
});
