/**
 * `npm test` runs part of the slow tests, and `npm run test:whole` the rest. Tests that differ between the two have the tag `whole`:
 * those that use this file, and those with an in-memory service (test/memory/stack.ts), which `test:whole` runs on the stand-ins.
 */
export const IS_WHOLE = process.env.WHOLE === '1';

/** A size, such as the number of runs of a property or of requests of a load: a tenth of `all`, or `all`. */
export const scaleRuns = (all: number): number => (IS_WHOLE ? all : Math.ceil(all / 10));

/** The seeds from 1 to `all`: the first tenth, or the rest. */
export const selectSeeds = (all: number): number[] => {
  const every = Array.from({ length: all }, (_, index) => index + 1);
  const tenth = Math.ceil(all / 10);
  return IS_WHOLE ? every.slice(tenth) : every.slice(0, tenth);
};

/** One of `all` equivalent variants, chosen by the test's number, or the rest. */
export const selectVariants = <T>(all: readonly T[], test: number): T[] =>
  all.filter((_, index) => (index === test % all.length) !== IS_WHOLE);

/** The first of `all` equivalent cases, or the rest. */
export const selectCases = <T>(all: readonly T[]): T[] => (IS_WHOLE ? all.slice(1) : all.slice(0, 1));
