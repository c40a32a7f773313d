import { existsSync, readFileSync } from 'node:fs';
import { type Lexicon, loadLexicon, unpackLexicon } from '../../matching/index.ts';

const FILE = new URL('./lexicon.bin', import.meta.url);

let loaded: Lexicon | undefined;

/**
 * The lexicon, read once a process, when it is first asked for. The file lies beside a function's bundle
 * as it lies beside this one: it is data, and larger than all of the code.
 */
export function getLexicon(): Lexicon {
  if (!loaded) {
    if (!existsSync(FILE)) throw new Error(`${FILE.pathname} is missing. "npm run train -- lexicon" makes it.`);
    loaded = loadLexicon(unpackLexicon(readFileSync(FILE)));
  }
  return loaded;
}
