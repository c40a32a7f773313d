import type { Cards } from './slots.ts';

/**
 * Campaigns under one word or topic, the highest ceiling first, as they lie in memory. Slots are campaign numbers. Good until a list
 * changes.
 */
export class Postings {
  readonly length: number;
  readonly #memory: Int32Array;
  readonly #from: number;

  constructor(memory: Int32Array, from: number, length: number) {
    this.#memory = memory;
    this.#from = from;
    this.length = length;
  }

  at(position: number): number {
    return this.#memory[this.#from + position]!;
  }

  /** Where the slot stands, or would: by ceiling, then by slot, so that equal ceilings have one order too. */
  find(slot: number, cards: Cards): number {
    const ceiling = cards.ceiling(slot);
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.at(middle);
      const rival = cards.ceiling(other);
      if (rival > ceiling || (rival === ceiling && other < slot)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Position after the last campaign whose ceiling is that of the one at a position; found by steps that double. */
  endOfEquals(position: number, cards: Cards): number {
    const ceiling = cards.ceiling(this.at(position));
    const equal = (at: number) => at < this.length && cards.ceiling(this.at(at)) === ceiling;
    let step = 1;
    while (equal(position + step)) step *= 2;
    let low = position + (step >> 1);
    let high = position + step;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (equal(middle)) low = middle;
      else high = middle;
    }
    return high;
  }
}
