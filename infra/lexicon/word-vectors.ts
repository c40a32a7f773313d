import { readFileSync } from 'node:fs';
import { WORD_VECTORS } from './paths.ts';

/** Stems and their vectors, concatenated in the same order: the output of `npm run train -- vectors`. */
export interface WordVectors {
  words: string[];
  vectors: Int8Array;
}

const LINE_FEED = 0x0a;

/** Format: a line of stems, then the vectors as raw bytes. */
export const packWordVectors = ({ words, vectors }: WordVectors): Uint8Array =>
  Buffer.concat([Buffer.from(`${words.join(' ')}\n`), new Uint8Array(vectors.buffer)]);

export function readWordVectors(): WordVectors {
  const file = readFileSync(WORD_VECTORS);
  const end = file.indexOf(LINE_FEED);
  return { words: file.toString('utf8', 0, end).split(' '), vectors: Int8Array.from(file.subarray(end + 1)) };
}
