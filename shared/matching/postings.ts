import type { Cards } from './cards.ts';

/** Campaigns under one word or topic, the highest ceiling first, in a growing typed array. Slots are campaign numbers. */
export class Postings {
  #slots = new Uint32Array(2);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(position: number): number {
    return this.#slots[position]!;
  }

  /** The new slot's own card must be filled in already. */
  insert(slot: number, cards: Cards): void {
    if (this.#length === this.#slots.length) this.#resize(this.#length + (this.#length >> 1) + 2);
    const position = this.#find(slot, cards);
    this.#slots.copyWithin(position + 1, position, this.#length++);
    this.#slots[position] = slot;
  }

  /** Takes a slot out; its ceiling must still be what it was when it was put in. */
  remove(slot: number, cards: Cards): void {
    const position = this.#find(slot, cards);
    this.#slots.copyWithin(position, position + 1, this.#length--);
    if (4 * this.#length < this.#slots.length) this.#resize(2 * this.#length + 2);
  }

  /** Position after the last campaign whose ceiling is that of the one at a position; found by steps that double. */
  endOfEquals(position: number, cards: Cards): number {
    const ceiling = cards.ceiling(this.#slots[position]!);
    const equal = (at: number) => at < this.#length && cards.ceiling(this.#slots[at]!) === ceiling;
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

  #resize(room: number): void {
    const resized = new Uint32Array(room);
    resized.set(this.#slots.subarray(0, this.#length));
    this.#slots = resized;
  }

  /** Where the slot stands, or would: by ceiling, then by slot, so that equal ceilings have one order too. */
  #find(slot: number, cards: Cards): number {
    const ceiling = cards.ceiling(slot);
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#slots[middle]!;
      const rival = cards.ceiling(other);
      if (rival > ceiling || (rival === ceiling && other < slot)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
