import { capacityFor, copyInto } from './capacity.ts';
import type { Column } from './columns.ts';

/** The class of blocks that so many numbers need: one of class c holds 2 ** c. */
const classOf = (numbers: number): number => 32 - Math.clz32(numbers - 1);

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

  constructor({ numbers, length }: Column<'int32'> = { numbers: new Int32Array(64), length: 0 }) {
    this.memory = numbers;
    this.#end = length;
  }

  /** What is allocated or was. */
  used(): Int32Array {
    return this.memory.subarray(0, this.#end);
  }

  /** Whether a list of so many numbers fills its block. */
  isFull(numbers: number): boolean {
    return numbers === 2 ** classOf(numbers);
  }

  /** Where a block for so many numbers begins. */
  allocate(numbers: number): number {
    const size = classOf(numbers);
    const free = this.#free[size]?.pop();
    if (free !== undefined) return free;
    const start = this.#end;
    this.#end += 2 ** size;
    if (this.#end > this.memory.length) this.memory = copyInto(new Int32Array(capacityFor(this.#end)), this.memory);
    return start;
  }

  /** Frees the block of a list of so many numbers. */
  free(start: number, numbers: number): void {
    this.#free[classOf(numbers)]?.push(start);
  }
}
