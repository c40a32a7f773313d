import { renameSync, utimesSync, writeFileSync } from 'node:fs';
import { packLexicon } from '../../shared/matching/index.ts';
import { readKindWeights, readSafetyWeights } from './classifier-weights.ts';
import { compileLexicon } from './compile.ts';
import { readNgramTable } from './languages.ts';
import { COMPILED_LEXICON } from './paths.ts';
import { readPhrasebook } from './phrasebook.ts';
import { readWordVectors } from './word-vectors.ts';

/** `npm run train -- lexicon`: compiles the texts in shared/matching/lexicon/texts into the file that functions read. */
export async function buildLexicon(compiled = COMPILED_LEXICON): Promise<void> {
  const startedAt = new Date();
  const file = packLexicon(
    compileLexicon(readPhrasebook(), await readNgramTable(), readWordVectors(), {
      safety: readSafetyWeights(),
      kinds: readKindWeights(),
    }),
  );
  // Replace the file atomically: a concurrent reader gets either the old or the new one.
  const draft = new URL(`lexicon.bin.${process.pid}`, compiled);
  writeFileSync(draft, file);
  // Backdate the file to the start: a text saved during the build must count as newer.
  utimesSync(draft, startedAt, startedAt);
  renameSync(draft, compiled);
}

if (import.meta.main) await buildLexicon();
