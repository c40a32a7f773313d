type NumberArray = Int32Array | Uint8Array | Float32Array | Float64Array;

/** The capacity of an array for `length` numbers: an eighth more than needed, since what is unused is memory too. */
export const toCapacity = (length: number): number => length + (length >> 3) + 16;

/** The same numbers in a larger array. */
export function copyIntoLarger<A extends NumberArray>(larger: A, smaller: A): A {
  larger.set(smaller);
  return larger;
}

/** Integers of 32 bits that become more, side by side. */
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

/** The class of blocks that so many numbers need: one of class c holds 2 ** c. */
const toBlockClass = (numbers: number): number => 32 - Math.clz32(numbers - 1);

/**
 * Many short lists of numbers side by side in one array: a typed array of its own would cost some two hundred bytes a list. Blocks that
 * are freed are allocated again to lists of their size.
 */
export class Blocks {
  /** Another array whenever it grows. */
  memory: Int32Array;
  #end: number;
  /** By class, where free blocks begin. */
  readonly #free: number[][] = Array.from({ length: 32 }, () => []);

  constructor(
    { numbers, length }: { numbers: Int32Array; length: number } = { numbers: new Int32Array(64), length: 0 },
  ) {
    this.memory = numbers;
    this.#end = length;
  }

  /** What is allocated or was. */
  used(): Int32Array {
    return this.memory.subarray(0, this.#end);
  }

  /** Whether a list of so many numbers fills its block. */
  isFull(numbers: number): boolean {
    return numbers === 2 ** toBlockClass(numbers);
  }

  /** Where a block for so many numbers begins. */
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

  /** Frees the block of a list of so many numbers. */
  free(start: number, numbers: number): void {
    this.#free[toBlockClass(numbers)]?.push(start);
  }
}
