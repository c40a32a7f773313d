/** Bytes kept between matches: enough for a conversation of some thousand words. */
const KEPT_BYTES = 1 << 18;

/**
 * Allocates the typed arrays of a match, all zeros, in memory that the next match reuses. A new array of a thousand
 * bytes or more costs a microsecond; one from here costs a fiftieth of that.
 */
export class ArrayPool {
  #memory = new ArrayBuffer(KEPT_BYTES);
  #used = 0;

  uint8(length: number): Uint8Array {
    const from = this.#allocate(length);
    return new Uint8Array(this.#memory, from, length);
  }

  int32(length: number): Int32Array {
    const from = this.#allocate(4 * length);
    return new Int32Array(this.#memory, from, length);
  }

  float32(length: number): Float32Array {
    const from = this.#allocate(4 * length);
    return new Float32Array(this.#memory, from, length);
  }

  float64(length: number): Float64Array {
    const from = this.#allocate(8 * length);
    return new Float64Array(this.#memory, from, length);
  }

  /** Takes back and clears all arrays. Memory above KEPT_BYTES is released. */
  reset(): void {
    if (this.#memory.byteLength > KEPT_BYTES) this.#memory = new ArrayBuffer(KEPT_BYTES);
    else new Uint8Array(this.#memory, 0, this.#used).fill(0);
    this.#used = 0;
  }

  /** Returns the offset of the next array. Full memory is replaced by a larger buffer; earlier arrays keep theirs. */
  #allocate(bytes: number): number {
    const size = (bytes + 7) & ~7;
    if (this.#used + size > this.#memory.byteLength) {
      this.#memory = new ArrayBuffer(Math.max(2 * this.#memory.byteLength, size));
      this.#used = 0;
    }
    const from = this.#used;
    this.#used += size;
    return from;
  }
}

// These functions take a single array type, because V8 compiles slower code for several.

/** Raises a number of a column to at least `value`. */
export function raise(column: Float32Array, index: number, value: number): void {
  if (column[index]! < value) column[index] = value;
}

/** Lowers a number of a column to at most `value`. */
export function lower(column: Float32Array, index: number, value: number): void {
  if (column[index]! > value) column[index] = value;
}

export function add(column: Float32Array, index: number, amount: number): void {
  column[index] = column[index]! + amount;
}

export function scale(column: Float32Array, index: number, factor: number): void {
  column[index] = column[index]! * factor;
}

/**
 * Numbers closer than 1 / STEPS_PER_UNIT are not ordered among themselves, nor are those more than BUCKETS / STEPS_PER_UNIT below the
 * largest.
 */
const STEPS_PER_UNIT = 64;
const BUCKETS = 1024;

/**
 * The indexes of the first `count` numbers in approximately descending order. This is a counting sort: sorting some
 * hundred log-odds exactly took as long as reading a tenth of the conversation, and the order of a search need not be
 * exact.
 */
export function orderDescending(numbers: Float64Array, count: number, pool: ArrayPool): Int32Array {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) most = Math.max(most, numbers[i]!);
  const bucketOf = (number: number) => Math.min(BUCKETS - 1, Math.floor(STEPS_PER_UNIT * (most - number)));
  // By bucket, first the number of items before it, then the position of its next item.
  const ends = pool.int32(BUCKETS + 1);
  for (let i = 0; i < count; i++) ends[bucketOf(numbers[i]!) + 1]!++;
  for (let bucket = 0; bucket < BUCKETS; bucket++) ends[bucket + 1]! += ends[bucket]!;
  const order = pool.int32(count);
  for (let i = 0; i < count; i++) order[ends[bucketOf(numbers[i]!)]!++] = i;
  return order;
}
