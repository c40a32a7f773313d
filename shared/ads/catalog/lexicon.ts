import { existsSync, readFileSync } from 'node:fs';
import { type Lexicon, loadLexicon, unpackLexicon } from '../../matching/index.ts';

const FILE = new URL('./lexicon.bin', import.meta.url);

let loaded: Lexicon | undefined;

/**
 * Returns the lexicon. The first call of a process loads it. Its file is deployed next to the function's bundle, because it is larger than
 * all of the code.
 */
export function getLexicon(): Lexicon {
  if (!loaded) {
    if (!existsSync(FILE)) throw new Error(`${FILE.pathname} is missing. Create it with "npm run train -- lexicon".`);
    loaded = loadLexicon(unpackLexicon(readFileSync(FILE)));
  }
  return loaded;
}
