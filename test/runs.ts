/** Whether every seed and every case is run (`npm run test:whole`); `npm test` runs the first of them. */
export const IS_WHOLE = process.env.WHOLE === '1';

/** How many of `all` runs of a property, or seeds of a simulation, are made: a tenth, or with `WHOLE=1` all of them. */
export const runs = (all: number): number => (IS_WHOLE ? all : Math.ceil(all / 10));

/** One of `all` ways to try the same thing, by the number of the test, or with `WHOLE=1` all of them. */
export const ways = <T>(all: readonly T[], test: number): readonly T[] =>
  IS_WHOLE || all.length === 0 ? all : [all[test % all.length]!];

/** The first of `all` cases that try the same thing, or with `WHOLE=1` all of them. */
export const some = <T>(all: readonly T[]): T[] => all.slice(0, IS_WHOLE ? all.length : 1);
