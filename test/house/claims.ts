import { expect, it } from 'vitest';
import { isCode, type SourceFile, sources } from './sources.ts';

/*
 * The compiler cannot check casts and non-null assertions. Better types replace most of them: `recordOf`, an annotated JSON.parse, a
 * for-of loop. When a change removes some, lower the limit.
 */
const MAX_CASTS = 56;
const MAX_NON_NULLS_IN_MATCHING = 150;

const built = sources().filter((source) => isCode(source) || /^(events|packages\/examples)\//.test(source.path));
const linesOf = (files: SourceFile[], kind: 'casts' | 'nonNulls') =>
  files.flatMap((source) => source.claims()[kind].map((line) => `${source.path}:${line}`));

it('has few casts outside tests', () => {
  const casts = linesOf(built, 'casts');
  expect(casts.length, casts.join('\n')).toBeLessThanOrEqual(MAX_CASTS);
});

it('has few non-null assertions in matching, mostly for reads of typed arrays within their bounds', () => {
  const matching = built.filter(({ path }) => path.startsWith('shared/matching/'));
  const nonNulls = linesOf(matching, 'nonNulls');
  expect(nonNulls.length, nonNulls.join('\n')).toBeLessThanOrEqual(MAX_NON_NULLS_IN_MATCHING);
});

it('has no comment that silences the compiler', () => {
  const silenced = built.filter(({ text }) => /@ts-(ignore|expect-error|nocheck)/.test(text));
  expect(silenced.map(({ path }) => path)).toEqual([]);
});
