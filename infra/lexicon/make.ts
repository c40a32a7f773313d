import { renameSync, utimesSync, writeFileSync } from 'node:fs';
import { packLexicon } from '../../shared/matching/index.ts';
import { compileLexicon } from './compile.ts';
import { readNgramTable } from './languages.ts';
import { COMPILED_LEXICON } from './paths.ts';
import { readPhrasebook } from './phrasebook.ts';
import { readSafetyWeights } from './safety-weights.ts';
import { readWordVectors } from './word-vectors.ts';

/** `npm run train -- lexicon`: the file that functions read, from the texts in shared/matching/lexicon/texts. Takes a second. */
export async function buildLexicon(compiled = COMPILED_LEXICON): Promise<void> {
  const startedAt = new Date();
  const file = packLexicon(
    compileLexicon(readPhrasebook(), await readNgramTable(), readWordVectors(), readSafetyWeights()),
  );
  // Whoever reads it meanwhile reads the old one or the new one, whole.
  const draft = new URL(`lexicon.bin.${process.pid}`, compiled);
  writeFileSync(draft, file);
  // As old as what was read for it: a text that was saved meanwhile is newer.
  utimesSync(draft, startedAt, startedAt);
  renameSync(draft, compiled);
}

if (import.meta.main) await buildLexicon();
