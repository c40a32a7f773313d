import { readFileSync, statSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import freshLexicon from '../../../infra/lexicon/fresh.ts';
import { COMPILED } from '../../../infra/lexicon/paths.ts';

const madeAt = () => statSync(COMPILED).mtimeMs;

test('the lexicon is compiled anew when it is older than its texts, and only then', async () => {
  const before = readFileSync(COMPILED);
  utimesSync(COMPILED, 0, 0);
  const startedAt = Date.now();
  await freshLexicon();
  const made = madeAt();
  expect(made).toBeGreaterThanOrEqual(startedAt);
  expect(readFileSync(COMPILED).equals(before)).toBe(true);
  await freshLexicon();
  expect(madeAt()).toBe(made);
});
