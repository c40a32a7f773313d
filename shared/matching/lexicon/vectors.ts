import { type Lexicon, VECTOR_SIZE } from './lexicon.ts';

/** The norm of campaign and topic vectors, stored as integers. Word vectors are longer if the word says more. */
export const VECTOR_LENGTH = 127;

/** Adds the vector of a word, given its vocabulary number. A word without a vector adds nothing. */
export function addWordVector(
  sum: Float32Array,
  word: number,
  weight: number,
  { vectors }: Pick<Lexicon, 'vectors'>,
): void {
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

/** The topics whose vectors are nearest to a vector, nearest first, and at most `count`. None for zeros. */
export function findNearestTopics(vector: Float32Array, count: number, { topicVectors }: Lexicon): number[] {
  const best: number[] = [];
  const products: number[] = [];
  let least = 0;
  for (let topic = 0, start = 0; start < topicVectors.length; topic++, start += VECTOR_SIZE) {
    const product = multiply(vector, topicVectors, start);
    if (product <= least) continue;
    const position = products.findLastIndex((other) => other >= product) + 1;
    products.splice(position, 0, product);
    best.splice(position, 0, topic);
    if (best.length <= count) continue;
    best.pop();
    products.pop();
    least = products.at(-1) ?? 0;
  }
  return best;
}

/** The product of a vector and the one that begins at `start`. Four sums at a time, because each addition waits for the one before. */
function multiply(vector: Float32Array, others: Float32Array, start: number): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let k = 0; k < VECTOR_SIZE; k += 4) {
    a += vector[k]! * others[start + k]!;
    b += vector[k + 1]! * others[start + k + 1]!;
    c += vector[k + 2]! * others[start + k + 2]!;
    d += vector[k + 3]! * others[start + k + 3]!;
  }
  return a + b + (c + d);
}

/** The topic whose vector is nearest, or -1. It groups campaigns by meaning, so that a match compares itself with a few groups. */
export const findNearestTopic = (vector: Float32Array, lexicon: Lexicon): number =>
  findNearestTopics(vector, 1, lexicon)[0] ?? -1;
