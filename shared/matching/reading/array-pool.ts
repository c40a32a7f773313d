/** Bytes that stay between matches: enough for a conversation of some thousand words. */
const KEPT_BYTES = 1 << 18;

/**
 * The typed arrays of a match, all zeros, allocated one after the other in memory that the next match uses again. A fresh array of
 * a thousand bytes or more costs a microsecond, one from here a fiftieth of that.
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

  /** Takes back all arrays and overwrites what they held; memory beyond what is kept is released. */
  reset(): void {
    if (this.#memory.byteLength > KEPT_BYTES) this.#memory = new ArrayBuffer(KEPT_BYTES);
    else new Uint8Array(this.#memory, 0, this.#used).fill(0);
    this.#used = 0;
  }

  /** The offset of the next array. Full memory is replaced by more; arrays allocated before keep theirs. */
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
