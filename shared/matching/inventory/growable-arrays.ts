type NumberArray = Int32Array | Uint8Array | Float32Array | Float64Array;

/** The capacity of an array for `length` numbers: only an eighth more than needed, to save memory. */
export const toCapacity = (length: number): number => length + (length >> 3) + 16;

/** Copies the numbers into a larger array and returns it. */
export function copyIntoLarger<A extends NumberArray>(larger: A, smaller: A): A {
  larger.set(smaller);
  return larger;
}

/** A growing list of 32-bit integers. */
export class NumberList {
  length = 0;
  #numbers = new Int32Array(64);

  push(number: number): void {
    if (this.length === this.#numbers.length)
      this.#numbers = copyIntoLarger(new Int32Array(toCapacity(this.length)), this.#numbers);
    this.#numbers[this.length++] = number;
  }

  numbers(): Int32Array {
    return this.#numbers.subarray(0, this.length);
  }
}

/** The size class of a block for this many numbers: class c has 2 ** c. */
const toBlockClass = (numbers: number): number => 32 - Math.clz32(numbers - 1);

/**
 * Many short lists of numbers in one array; a typed array per list would cost about 200 bytes each. Freed blocks are
 * reused for lists of the same size class.
 */
export class Blocks {
  /** Replaced whenever it grows. */
  memory: Int32Array;
  #end: number;
  /** By class, the starts of free blocks. */
  readonly #free: number[][] = Array.from({ length: 32 }, () => []);

  constructor(
    { numbers, length }: { numbers: Int32Array; length: number } = { numbers: new Int32Array(64), length: 0 },
  ) {
    this.memory = numbers;
    this.#end = length;
  }

  /** All blocks allocated so far, including freed ones. */
  used(): Int32Array {
    return this.memory.subarray(0, this.#end);
  }

  /** Whether a list of this length fills its block. */
  isFull(numbers: number): boolean {
    return numbers === 2 ** toBlockClass(numbers);
  }

  /** Allocates a block for this many numbers, and returns its start. */
  allocate(numbers: number): number {
    const size = toBlockClass(numbers);
    const free = this.#free[size]?.pop();
    if (free !== undefined) return free;
    const start = this.#end;
    this.#end += 2 ** size;
    if (this.#end > this.memory.length)
      this.memory = copyIntoLarger(new Int32Array(toCapacity(this.#end)), this.memory);
    return start;
  }

  /** Frees the block of a list of this length. */
  free(start: number, numbers: number): void {
    this.#free[toBlockClass(numbers)]?.push(start);
  }
}
