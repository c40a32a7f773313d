import { expect, it } from 'vitest';
import { sources } from './sources.ts';

/** What others than our own files import: where a bundle begins, and what vitest runs first. */
const ENTRIES =
  /^(functions|shared\/http\/runtimes)\/|^packages\/\w+\/src\/(index|react)\.ts$|^infra\/(site\/handler|edge\/worker)\.ts$|^tools\/bench\/plain\/(bid|ad|click)\.ts$|^test\/stand-in\.ts$/;
/** A build puts this in the place of another module. */
const REPLACEMENT = 'shared/platform/environment-credentials.ts';
/** Tests may be the only importers: a command is its own entry point, and the local stack and the fixtures exist for tests too. */
const FOR_TESTS_TOO = /^(tools|events|infra\/local)\//;
const TESTS = /^test\//;

/** Nobody imports it: stores add their items to it by declaring it again. */
const DECLARED_AGAIN = ['shared/platform/items.ts: Items'];
/** A table that its test goes through row by row. */
const TABLES = ['shared/platform/values/ids.ts: idKinds', 'shared/campaigns/review/signs.ts: COMMANDS_BY_LANGUAGE'];

const all = sources();

it('exports what another file imports, and no value for tests alone', () => {
  const importers = new Map<string, string[]>();
  for (const { path, imports } of all)
    for (const { from, names } of imports)
      for (const name of names) importers.set(`${from} ${name}`, [...(importers.get(`${from} ${name}`) ?? []), path]);
  const dead = all.flatMap(({ path, exports }) => {
    if (ENTRIES.test(path) || path === REPLACEMENT) return [];
    const mayBeForTests = TESTS.test(path) || FOR_TESTS_TOO.test(path);
    const isDead = ({ name, isType }: { name: string; isType: boolean }) => {
      const by = [...(importers.get(`${path} ${name}`) ?? []), ...(importers.get(`${path} *`) ?? [])];
      return !by.some((importer) => isType || mayBeForTests || !TESTS.test(importer));
    };
    return exports.filter(isDead).map(({ name }) => `${path}: ${name}`);
  });
  expect(dead.filter((name) => ![...DECLARED_AGAIN, ...TABLES].includes(name))).toEqual([]);
});
