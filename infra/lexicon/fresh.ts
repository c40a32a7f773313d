import { globSync, statSync } from 'node:fs';
import { COMPILED_LEXICON } from './paths.ts';

const ROOT = `${import.meta.dirname}/../..`;

/** Everything that the compiled file depends on. The time of a folder changes when a text is deleted. */
const SOURCES = [
  'shared/matching/lexicon/texts',
  'shared/matching/lexicon/texts/*.txt',
  'shared/matching/safety/texts',
  'shared/matching/safety/texts/*.txt',
  'shared/matching/{text,language,safety,lexicon}/*.ts',
  'infra/lexicon/*.{ts,bin}',
];

/** Compiles the lexicon if its file is missing or older than a source. */
export default async function ensureFreshLexicon(): Promise<void> {
  if (isFresh(COMPILED_LEXICON)) return;
  // Compiling takes seconds: explain the delay.
  console.error('Compiling the lexicon (its file is missing or out of date) …');
  const { buildLexicon } = await import('./make.ts');
  await buildLexicon();
}

/** Whether a compiled lexicon exists and is at least as new as all its sources. */
export function isFresh(compiled: URL): boolean {
  const madeAt = statSync(compiled, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return globSync(SOURCES, { cwd: ROOT }).every((path) => statSync(`${ROOT}/${path}`).mtimeMs <= madeAt);
}
