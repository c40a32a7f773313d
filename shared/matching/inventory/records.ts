import { capacityFor } from './capacity.ts';
import type { IndexColumns } from './segment.ts';
import type { SlotTable } from './slots.ts';

/** Numbers that there is always memory for. */
const LEAST_CAPACITY = 1024;

/** Records of campaigns, numbers of any length, side by side in one typed array; the slot table keeps where each begins. */
export class CampaignRecords {
  readonly #slots: SlotTable;
  #numbers: Int32Array;
  /** By slot, the length of its record; 0 for none. */
  readonly #lengths: number[];
  #end: number;
  /** Numbers of records in use; what deleted ones leave is reclaimed when memory runs out or is mostly unused. */
  #used: number;

  constructor(slots: SlotTable, columns?: IndexColumns) {
    this.#slots = slots;
    this.#numbers = columns?.records.numbers ?? new Int32Array(LEAST_CAPACITY);
    this.#lengths = columns ? Array.from(columns.recordLengths.numbers.subarray(0, columns.recordLengths.length)) : [];
    this.#end = columns?.records.length ?? 0;
    this.#used = this.#end;
  }

  /** The number at an index; a campaign's record begins at the slot table's `recordStart`. */
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
    if (this.#numbers.length > LEAST_CAPACITY && 4 * this.#used < this.#numbers.length) this.#compact(0);
  }

  /** Copies the records in use side by side, with room for `length` numbers more. */
  #compact(length: number): void {
    const numbers = new Int32Array(Math.max(capacityFor(this.#used + length), LEAST_CAPACITY));
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
