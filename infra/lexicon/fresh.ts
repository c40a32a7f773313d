import { globSync, statSync } from 'node:fs';

const ROOT = `${import.meta.dirname}/../..`;
export const COMPILED = new URL('../../shared/matching/lexicon.bin', import.meta.url);

/** What the file is made of and with. The folder of texts tells of a text that is gone. */
const MADE_OF = [
  'shared/matching/lexicon',
  'shared/matching/lexicon/*.txt',
  'shared/matching/*.ts',
  'infra/lexicon/*.ts',
];

/** Makes the compiled lexicon where it is missing or older than what it is made of: it is not kept in git, and nobody need think of it. */
export default async function freshLexicon(): Promise<void> {
  if (isFresh()) return;
  const { makeLexicon } = await import('./make.ts');
  makeLexicon();
}

function isFresh(): boolean {
  const madeAt = statSync(COMPILED, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return globSync(MADE_OF, { cwd: ROOT }).every((path) => statSync(`${ROOT}/${path}`).mtimeMs <= madeAt);
}
