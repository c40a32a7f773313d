import type { Scratch } from '../reading/array-pool.ts';

/** Short runs are put in order by insertion, longer ones by merging these. */
const RUN = 16;

/**
 * Positions of the first `count` numbers, the largest number first, equal ones as they stand. Does without the objects and calls
 * of a general sort, which for some hundred numbers are most of its time.
 */
export function descending(numbers: Float64Array, count: number, scratch: Scratch): Int32Array {
  let order = scratch.integers(count);
  for (let i = 0; i < count; i++) {
    let place = i;
    for (; place % RUN !== 0 && numbers[order[place - 1]!]! < numbers[i]!; place--) order[place] = order[place - 1]!;
    order[place] = i;
  }
  let merged = scratch.integers(count);
  for (let width = RUN; width < count; width *= 2) {
    for (let from = 0; from < count; from += 2 * width) {
      const middle = Math.min(from + width, count);
      const end = Math.min(from + 2 * width, count);
      for (let to = from, left = from, right = middle; to < end; to++) {
        const first = right === end || (left < middle && numbers[order[left]!]! >= numbers[order[right]!]!);
        merged[to] = first ? order[left++]! : order[right++]!;
      }
    }
    [order, merged] = [merged, order];
  }
  return order;
}
