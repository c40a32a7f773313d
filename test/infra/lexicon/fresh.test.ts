import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { isFresh } from '../../../infra/lexicon/fresh.ts';
import { buildLexicon } from '../../../infra/lexicon/make.ts';
import { COMPILED_LEXICON } from '../../../infra/lexicon/paths.ts';

const folder = mkdtempSync(join(tmpdir(), 'lexicon-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string) => pathToFileURL(join(folder, name));

test('the lexicon matches its sources: run `npm run train -- lexicon` after installing another stemmer or detector', async () => {
  const compiled = file('made');
  await buildLexicon(compiled);
  expect(readFileSync(compiled).equals(readFileSync(COMPILED_LEXICON))).toBe(true);
  expect(isFresh(compiled)).toBe(true);
});

test('the lexicon is compiled only if it is missing or older than a source', () => {
  const compiled = file('compiled');
  expect(isFresh(compiled)).toBe(false);
  writeFileSync(compiled, '');
  const texts = new URL('../../../shared/matching/lexicon/texts/shopping.txt', import.meta.url);
  const before = new Date(statSync(texts).mtimeMs - 1);
  utimesSync(compiled, before, before);
  expect(isFresh(compiled)).toBe(false);
  const later = new Date(Date.now() + 60_000);
  utimesSync(compiled, later, later);
  expect(isFresh(compiled)).toBe(true);
});
