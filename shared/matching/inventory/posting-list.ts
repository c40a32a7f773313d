import type { SlotTable } from './slots.ts';

/** The slots of the campaigns of one term or topic, the highest ceiling first, as they lie in memory. Good until a list changes. */
export class PostingList {
  readonly length: number;
  readonly #memory: Int32Array;
  readonly #start: number;

  constructor(memory: Int32Array, start: number, length: number) {
    this.#memory = memory;
    this.#start = start;
    this.length = length;
  }

  slotAt(position: number): number {
    return this.#memory[this.#start + position]!;
  }

  /** The slot's position, or where it is to be inserted: by ceiling, then by slot, so that equal ceilings have one order too. */
  find(slot: number, slots: SlotTable): number {
    const ceiling = slots.ceiling(slot);
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.slotAt(middle);
      const otherCeiling = slots.ceiling(other);
      if (otherCeiling > ceiling || (otherCeiling === ceiling && other < slot)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Position after the last campaign whose ceiling is that of the one at a position; found by steps that double. */
  endOfEqualCeilings(position: number, slots: SlotTable): number {
    const ceiling = slots.ceiling(this.slotAt(position));
    const isEqual = (other: number) => other < this.length && slots.ceiling(this.slotAt(other)) === ceiling;
    let step = 1;
    while (isEqual(position + step)) step *= 2;
    let low = position + (step >> 1);
    let high = position + step;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (isEqual(middle)) low = middle;
      else high = middle;
    }
    return high;
  }
}
