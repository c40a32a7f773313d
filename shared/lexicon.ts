import { readFileSync } from 'node:fs';
import { type CompiledLexicon, type Lexicon, loadLexicon } from './matching/index.ts';

let loaded: Lexicon | undefined;

/**
 * What matching knows of the world, read once a process, when it is first asked for. The file lies beside a function's bundle
 * as it lies beside this one: it is data, and larger than all of the code.
 */
export function lexicon(): Lexicon {
  loaded ??= loadLexicon(
    JSON.parse(readFileSync(new URL('./matching/lexicon.json', import.meta.url), 'utf8')) as CompiledLexicon,
  );
  return loaded;
}
