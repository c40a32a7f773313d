import { expect, it } from 'vitest';
import { sources } from './sources.ts';

/** Entry points that none of our files import: of bundles, packages, and vitest's global setup. */
const ENTRIES =
  /^(functions|shared\/http\/runtimes)\/|^packages\/\w+\/src\/(index|react|card)\.ts$|^infra\/(site\/handler|edge\/worker)\.ts$|^tools\/bench\/plain\/(bid|ad|click)\.ts$|^test\/check-dynamodb\.ts$/;
/** The build replaces another module with this one. */
const REPLACEMENT = 'shared/platform/environment-credentials.ts';
/** Files that only tests may import: commands are entry points themselves, and the local stack and the fixtures also serve tests. */
const FOR_TESTS_TOO = /^(tools|events|infra\/local)\//;
const TESTS = /^test\//;

/** Has no importers: stores extend it by declaration merging. */
const DECLARED_AGAIN = ['shared/platform/items.ts: Items'];
/** Tables whose tests check every row. */
const TABLES = ['shared/platform/values/ids.ts: idKinds', 'shared/campaigns/review/signs.ts: COMMANDS_BY_LANGUAGE'];

const all = sources();

it('exports only what another file imports, and no value only for tests', () => {
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
