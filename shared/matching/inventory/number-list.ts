import { capacityFor, copyInto } from './capacity.ts';

/** Integers of 32 bits that become more, side by side. */
export class NumberList {
  length = 0;
  #numbers = new Int32Array(64);

  push(number: number): void {
    if (this.length === this.#numbers.length)
      this.#numbers = copyInto(new Int32Array(capacityFor(this.length)), this.#numbers);
    this.#numbers[this.length++] = number;
  }

  numbers(): Int32Array {
    return this.#numbers.subarray(0, this.length);
  }
}
