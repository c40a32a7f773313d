import { VECTOR_SIZE } from '../lexicon/lexicon.ts';
import { VECTOR_LENGTH } from '../lexicon/vectors.ts';
import { capacityFor } from './capacity.ts';

/** The vectors of campaigns by slot, side by side. */
export class VectorTable {
  #numbers = new Int8Array(2 * VECTOR_SIZE);

  /** @param vector in base64; empty for none, which is like nothing */
  set(slot: number, vector: string): void {
    const start = VECTOR_SIZE * slot;
    if (start >= this.#numbers.length) {
      const larger = new Int8Array(VECTOR_SIZE * capacityFor(slot + 1));
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers.fill(0, start, start + VECTOR_SIZE);
    this.#numbers.set(Buffer.from(vector, 'base64').subarray(0, VECTOR_SIZE), start);
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
