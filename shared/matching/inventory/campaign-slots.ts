import { toStarts } from './columns.ts';
import { toCapacity } from './growable-arrays.ts';
import type { IndexColumns } from './segment.ts';

/**
 * The fields of a campaign that a match reads first, in adjacent memory. A slot is a campaign's number. Reading a
 * campaign takes one memory fetch instead of three; at 100,000 campaigns, fetching is most of the work.
 */
export class SlotTable {
  /** A slot is two 64-bit numbers: the ceiling, then the record start and the last match as 32-bit integers. */
  #ceilings: Float64Array;
  #words: Int32Array;

  constructor(columns?: IndexColumns) {
    this.#ceilings = new Float64Array(2 * toCapacity(columns?.ceilings.length ?? 64));
    this.#words = new Int32Array(this.#ceilings.buffer);
    if (!columns) return;
    const { ceilings, recordLengths } = columns;
    const starts = toStarts(recordLengths);
    for (let slot = 0; slot < ceilings.length; slot++) {
      this.setCeiling(slot, ceilings.numbers[slot]!);
      this.setRecordStart(slot, starts[slot]!);
    }
  }

  /** The maximum CPM, in micro-dollars, that the campaign may bid. */
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

  /**
   * Marks the campaign as visited by a match; false if the match visited it before. Each match has a different 32-bit
   * number.
   */
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

/** Minimum number of integers to keep memory for. */
const MIN_CAPACITY = 1024;

/** Records of campaigns in one typed array. They have different lengths; the slot table stores where each begins. */
export class CampaignRecords {
  readonly #slots: SlotTable;
  #numbers: Int32Array;
  /** By slot, the length of its record; 0 if there is none. */
  readonly #lengths: number[];
  #end: number;
  /** Integers in use. Memory of deleted records is reclaimed when the array is full or mostly unused. */
  #used: number;

  constructor(slots: SlotTable, columns?: IndexColumns) {
    this.#slots = slots;
    this.#numbers = columns?.records.numbers ?? new Int32Array(MIN_CAPACITY);
    this.#lengths = columns ? Array.from(columns.recordLengths.numbers.subarray(0, columns.recordLengths.length)) : [];
    this.#end = columns?.records.length ?? 0;
    this.#used = this.#end;
  }

  /** The number at an index. A campaign's record begins at the slot table's `recordStart`. */
  at(index: number): number {
    return this.#numbers[index]!;
  }

  insert(slot: number, record: readonly number[]): void {
    if (this.#end + record.length > this.#numbers.length) this.#compact(record.length);
    this.#numbers.set(record, this.#end);
    this.#slots.setRecordStart(slot, this.#end);
    this.#lengths[slot] = record.length;
    this.#end += record.length;
    this.#used += record.length;
  }

  delete(slot: number): void {
    this.#used -= this.#lengths[slot] ?? 0;
    this.#lengths[slot] = 0;
    if (this.#numbers.length > MIN_CAPACITY && 4 * this.#used < this.#numbers.length) this.#compact(0);
  }

  /** Copies the records in use next to each other, with room for `length` more numbers. */
  #compact(length: number): void {
    const numbers = new Int32Array(Math.max(toCapacity(this.#used + length), MIN_CAPACITY));
    let end = 0;
    for (const [slot, size] of this.#lengths.entries()) {
      if (size === 0) continue;
      const start = this.#slots.recordStart(slot);
      numbers.set(this.#numbers.subarray(start, start + size), end);
      this.#slots.setRecordStart(slot, end);
      end += size;
    }
    this.#numbers = numbers;
    this.#end = end;
  }
}
