import { VECTOR_SIZE } from '../lexicon/lexicon.ts';
import { VECTOR_LENGTH } from '../lexicon/vectors.ts';
import { capacityFor } from './capacity.ts';
import type { IndexColumns } from './segment.ts';

/** The numbers of a vector in base64; zeros for none, which is like nothing. */
export function vectorOf(base64: string): Int8Array {
  const vector = new Int8Array(VECTOR_SIZE);
  vector.set(Buffer.from(base64, 'base64').subarray(0, VECTOR_SIZE));
  return vector;
}

/** The vectors of campaigns by slot, side by side. */
export class VectorTable {
  #numbers: Int8Array;

  constructor(columns?: IndexColumns) {
    this.#numbers = columns?.vectors.numbers ?? new Int8Array(2 * VECTOR_SIZE);
  }

  /** @param vector in base64; empty for none */
  set(slot: number, vector: string): void {
    const start = VECTOR_SIZE * slot;
    if (start + VECTOR_SIZE > this.#numbers.length) {
      const larger = new Int8Array(VECTOR_SIZE * capacityFor(slot + 1));
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers.set(vectorOf(vector), start);
  }

  /** How like a campaign is to a vector of length 1: the cosine, 0 for what is unlike. */
  likeness(slot: number, vector: Float32Array): number {
    const numbers = this.#numbers;
    const start = VECTOR_SIZE * slot;
    let product = 0;
    for (let k = 0; k < VECTOR_SIZE; k++) product += vector[k]! * numbers[start + k]!;
    return Math.max(0, Math.min(1, product / VECTOR_LENGTH));
  }
}
