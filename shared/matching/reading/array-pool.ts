/** Bytes that stay between matches: enough for a conversation of some thousand words. */
const KEPT = 1 << 18;

/**
 * Where a match lays out its figures: typed arrays of zeros, cut one after the other from memory that is used again by the
 * next match. A fresh array of a thousand bytes or more costs a microsecond, one from here a fiftieth of that.
 */
export class Scratch {
  #memory = new ArrayBuffer(KEPT);
  #used = 0;

  bytes(length: number): Uint8Array {
    const from = this.#cut(length);
    return new Uint8Array(this.#memory, from, length);
  }

  integers(length: number): Int32Array {
    const from = this.#cut(4 * length);
    return new Int32Array(this.#memory, from, length);
  }

  floats(length: number): Float32Array {
    const from = this.#cut(4 * length);
    return new Float32Array(this.#memory, from, length);
  }

  doubles(length: number): Float64Array {
    const from = this.#cut(8 * length);
    return new Float64Array(this.#memory, from, length);
  }

  /** Takes back all arrays and leaves nothing of what they held; what a long conversation needed beside is let go. */
  clear(): void {
    if (this.#memory.byteLength > KEPT) this.#memory = new ArrayBuffer(KEPT);
    else new Uint8Array(this.#memory, 0, this.#used).fill(0);
    this.#used = 0;
  }

  /** Where in the memory the next piece begins. When it is full there is another; arrays cut before keep theirs. */
  #cut(bytes: number): number {
    const room = (bytes + 7) & ~7;
    if (this.#used + room > this.#memory.byteLength) {
      this.#memory = new ArrayBuffer(Math.max(2 * this.#memory.byteLength, room));
      this.#used = 0;
    }
    const from = this.#used;
    this.#used += room;
    return from;
  }
}
