import { type Lexicon, VECTOR_SIZE } from './lexicon.ts';

/** The length of a word's vector, and of a campaign's. */
export const VECTOR_LENGTH = 127;

/** Adds the vector of a word, by its number in the vocabulary; words without one add nothing. */
export function addWordVector(sum: Float32Array, word: number, weight: number, { vectors }: Lexicon): void {
  const start = word * VECTOR_SIZE;
  if (word < 0 || start >= vectors.length) return;
  for (let k = 0; k < VECTOR_SIZE; k++) sum[k]! += weight * vectors[start + k]!;
}

/** Makes a vector of length 1, in place; one of zeros stays so. */
export function normalize(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value ** 2;
  const length = Math.sqrt(square) || 1;
  for (let k = 0; k < VECTOR_SIZE; k++) vector[k]! /= length;
  return vector;
}
