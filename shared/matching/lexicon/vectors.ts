import { type Lexicon, VECTOR_SIZE } from './lexicon.ts';

/** The norm of word vectors and campaign vectors, stored as integers. */
export const VECTOR_LENGTH = 127;

/** Adds the vector of a word, given its vocabulary number. A word without a vector adds nothing. */
export function addWordVector(sum: Float32Array, word: number, weight: number, { vectors }: Lexicon): void {
  const start = word * VECTOR_SIZE;
  if (word < 0 || start >= vectors.length) return;
  for (let k = 0; k < VECTOR_SIZE; k++) sum[k]! += weight * vectors[start + k]!;
}

/** Scales a vector to length 1, in place. A zero vector stays zero. */
export function normalize(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value ** 2;
  const length = Math.sqrt(square) || 1;
  for (let k = 0; k < VECTOR_SIZE; k++) vector[k]! /= length;
  return vector;
}
