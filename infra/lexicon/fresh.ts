import { globSync, statSync } from 'node:fs';
import { COMPILED_LEXICON } from './paths.ts';

const ROOT = `${import.meta.dirname}/../..`;

/** What the file is made of and with. The folder's own time changes when a text is deleted. */
const SOURCES = [
  'shared/matching/lexicon/texts',
  'shared/matching/lexicon/texts/*.txt',
  'shared/matching/safety/texts',
  'shared/matching/safety/texts/*.txt',
  'shared/matching/{text,language,safety,lexicon}/*.ts',
  'infra/lexicon/*.{ts,bin}',
];

/** Compiles the lexicon when its file is missing or older than a source. */
export default async function ensureFreshLexicon(): Promise<void> {
  if (isFresh(COMPILED_LEXICON)) return;
  // It takes seconds, in which a newcomer's first command would say nothing.
  console.error('Compiling the lexicon, which is missing or older than its texts …');
  const { buildLexicon } = await import('./make.ts');
  await buildLexicon();
}

/** Whether a compiled lexicon is there and as new as everything that it is made of. */
export function isFresh(compiled: URL): boolean {
  const madeAt = statSync(compiled, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return globSync(SOURCES, { cwd: ROOT }).every((path) => statSync(`${ROOT}/${path}`).mtimeMs <= madeAt);
}
