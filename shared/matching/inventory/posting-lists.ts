import type { SlotTable } from './campaign-slots.ts';
import type { ColumnWriter } from './columns.ts';
import { Blocks, copyIntoLarger, toCapacity } from './growable-arrays.ts';
import type { IndexColumns, IndexShape } from './segment.ts';

/** Upper bounds on the scores of the keywords in a list. A match uses them to skip lists. */
export interface KeywordBounds {
  /** Number of words of the longest keyword. */
  length: number;
  /** Evidence of the most salient keyword if it is said in full, from 0 to 1. */
  evidence: number;
  /** The largest number of keywords of any campaign in the list. */
  keywords: number;
}

/** Larger values need no tighter bound: they already score the maximum. */
const MAX_BOUND = 255;

/**
 * Posting lists by number. Bounds have their own columns, because a match reads the bounds of hundreds of lists but walks few. A list of one
 * campaign costs one number: most terms have only one, and an advertiser can make up any number of terms.
 */
export class PostingLists {
  #sizes = new Int32Array(64);
  /** By list: the slot of its only campaign, or the start of its block. */
  #starts = new Int32Array(64);
  #lengths = new Uint8Array(64);
  #evidence = new Float32Array(64);
  #keywords = new Uint8Array(64);
  readonly #blocks: Blocks;
  /** One more than the highest list number. */
  #count = 0;

  constructor(columns?: IndexColumns) {
    this.#blocks = new Blocks(columns?.postings);
    if (!columns) return;
    this.#sizes = columns.listSizes.numbers;
    this.#starts = columns.listStarts.numbers;
    this.#lengths = columns.longestKeywords.numbers;
    this.#evidence = columns.mostEvidence.numbers;
    this.#keywords = columns.mostKeywords.numbers;
    this.#count = columns.listSizes.length;
  }

  /** Number of campaigns in a list. */
  size(list: number): number {
    return this.#sizes[list] ?? 0;
  }

  get(list: number): PostingList {
    const size = this.size(list);
    return size === 1
      ? new PostingList(this.#starts, list, 1)
      : new PostingList(this.#blocks.memory, this.#start(list), size);
  }

  maxKeywordLength(list: number): number {
    return this.#lengths[list] ?? 0;
  }

  maxEvidence(list: number): number {
    return this.#evidence[list] ?? 0;
  }

  maxKeywords(list: number): number {
    return this.#keywords[list] ?? 0;
  }

  /** The slot's ceiling must already be set. */
  insert(list: number, slot: number, slots: SlotTable, bounds: KeywordBounds): void {
    this.#raiseBounds(list, bounds);
    const position = this.get(list).findPosition(slot, slots);
    const size = this.size(list);
    this.#resize(list, size + 1);
    if (size > 0) {
      const start = this.#start(list);
      this.#blocks.memory.copyWithin(start + position + 1, start + position, start + size);
      this.#blocks.memory[start + position] = slot;
    } else this.#starts[list] = slot;
  }

  /** Counts a campaign for `allocate`, which then gives each list its final size at once. */
  countCampaign(list: number, bounds: KeywordBounds): void {
    this.#raiseBounds(list, bounds);
    this.#sizes[list] = this.size(list) + 1;
  }

  /**
   * Allocates memory for the counted campaigns. Returns a function that appends a campaign to a list; the order of the
   * calls is the order in the list.
   */
  allocate(): (list: number, slot: number) => void {
    for (let list = 0; list < this.#count; list++)
      if (this.size(list) > 1) this.#starts[list] = this.#blocks.allocate(this.size(list));
    const counts = new Int32Array(this.#count);
    return (list, slot) => {
      if (this.size(list) > 1) this.#blocks.memory[this.#start(list) + counts[list]!++] = slot;
      else this.#starts[list] = slot;
    };
  }

  write(columns: ColumnWriter<IndexShape>): void {
    const trim = <A extends { subarray(from: number, to: number): A }>(numbers: A): A =>
      numbers.subarray(0, this.#count);
    columns.push('listSizes', trim(this.#sizes));
    columns.push('listStarts', trim(this.#starts));
    columns.push('longestKeywords', trim(this.#lengths));
    columns.push('mostEvidence', trim(this.#evidence));
    columns.push('mostKeywords', trim(this.#keywords));
    columns.push('postings', this.#blocks.used());
  }

  #raiseBounds(list: number, { length, evidence, keywords }: KeywordBounds): void {
    if (list >= this.#sizes.length) this.#grow(toCapacity(list));
    this.#count = Math.max(this.#count, list + 1);
    this.#lengths[list] = Math.max(this.maxKeywordLength(list), Math.min(MAX_BOUND, length));
    this.#evidence[list] = Math.max(this.maxEvidence(list), evidence);
    this.#keywords[list] = Math.max(this.maxKeywords(list), Math.min(MAX_BOUND, keywords));
  }

  /** The slot's ceiling must be the same as at insertion. Bounds are not tightened until the list is empty. */
  remove(list: number, slot: number, slots: SlotTable): void {
    const position = this.get(list).findPosition(slot, slots);
    const size = this.size(list);
    if (size > 1) {
      const start = this.#start(list);
      this.#blocks.memory.copyWithin(start + position, start + position + 1, start + size);
    }
    this.#resize(list, size - 1);
    if (size > 1) return;
    this.#lengths[list] = 0;
    this.#evidence[list] = 0;
    this.#keywords[list] = 0;
  }

  #start(list: number): number {
    return this.#starts[list] ?? 0;
  }

  /** Moves a list to a block for `size` campaigns. A smaller size drops the last ones. */
  #resize(list: number, size: number): void {
    const oldSize = this.size(list);
    const start = this.#start(list);
    const blocks = this.#blocks;
    this.#sizes[list] = size;
    if (oldSize === 0 || size === 0) return;
    const first = oldSize === 1 ? start : (blocks.memory[start] ?? 0);
    if (oldSize > 1 && size > 1 && !blocks.isFull(Math.min(oldSize, size))) return;
    if (size > 1) {
      const newStart = blocks.allocate(size);
      if (oldSize > 1) blocks.memory.copyWithin(newStart, start, start + Math.min(oldSize, size));
      else blocks.memory[newStart] = first;
      this.#starts[list] = newStart;
    } else this.#starts[list] = first;
    if (oldSize > 1) blocks.free(start, oldSize);
  }

  #grow(capacity: number): void {
    this.#sizes = copyIntoLarger(new Int32Array(capacity), this.#sizes);
    this.#starts = copyIntoLarger(new Int32Array(capacity), this.#starts);
    this.#lengths = copyIntoLarger(new Uint8Array(capacity), this.#lengths);
    this.#evidence = copyIntoLarger(new Float32Array(capacity), this.#evidence);
    this.#keywords = copyIntoLarger(new Uint8Array(capacity), this.#keywords);
  }
}

/**
 * The slots of the campaigns of one term or topic, by descending ceiling. A view of shared memory, valid until any list
 * changes.
 */
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

  /** The slot's position, or its insertion point: by descending ceiling, then by slot. */
  findPosition(slot: number, slots: SlotTable): number {
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

  /** Position after the last campaign that has the same ceiling as the one at `position`, found by galloping search. */
  findEndOfEqualCeilings(position: number, slots: SlotTable): number {
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
