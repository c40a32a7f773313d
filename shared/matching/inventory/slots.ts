import { capacityFor } from './capacity.ts';
import { startsOf } from './columns.ts';
import type { IndexColumns } from './segment.ts';

/**
 * What a match reads of each campaign first, side by side: each campaign looked at then takes one fetch from memory, where columns of
 * their own would take three, and at 100,000 campaigns fetching is most of the work. A slot is the number of a campaign.
 */
export class SlotTable {
  /** A slot is a ceiling, then the start of the record and the last match, which share the second number's bits. */
  #ceilings: Float64Array;
  #words: Int32Array;

  constructor(columns?: IndexColumns) {
    this.#ceilings = new Float64Array(2 * capacityFor(columns?.ceilings.length ?? 64));
    this.#words = new Int32Array(this.#ceilings.buffer);
    if (!columns) return;
    const { ceilings, recordLengths } = columns;
    const starts = startsOf(recordLengths);
    for (let slot = 0; slot < ceilings.length; slot++) {
      this.setCeiling(slot, ceilings.numbers[slot]!);
      this.setRecordStart(slot, starts[slot]!);
    }
  }

  /** The highest CPM in micro-dollars that the campaign may bid. */
  ceiling(slot: number): number {
    return this.#ceilings[2 * slot]!;
  }

  /** Where its record begins. */
  recordStart(slot: number): number {
    return this.#words[4 * slot + 2]!;
  }

  setCeiling(slot: number, ceiling: number): void {
    if (2 * slot >= this.#ceilings.length) this.#grow();
    this.#ceilings[2 * slot] = ceiling;
  }

  setRecordStart(slot: number, start: number): void {
    this.#words[4 * slot + 2] = start;
  }

  /** Notes that a match has looked at the campaign; false when it had before. Matches have different numbers of 32 bits. */
  markVisited(slot: number, match: number): boolean {
    if (this.#words[4 * slot + 3] === match) return false;
    this.#words[4 * slot + 3] = match;
    return true;
  }

  #grow(): void {
    const larger = new Float64Array(2 * this.#ceilings.length);
    larger.set(this.#ceilings);
    this.#ceilings = larger;
    this.#words = new Int32Array(larger.buffer);
  }
}
