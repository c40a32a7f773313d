import type { ArrayPool } from '../reading/array-pool.ts';

/** Short runs are sorted by insertion, longer ones by merging these. */
const RUN = 16;

/**
 * The indexes of the first `count` numbers, sorted by number, the largest first, equal ones as they stand. Does without the objects
 * and calls of a general sort, which for some hundred numbers are most of its time.
 */
export function sortDescending(numbers: Float64Array, count: number, pool: ArrayPool): Int32Array {
  let order = pool.int32(count);
  for (let i = 0; i < count; i++) {
    const number = numbers[i]!;
    let index = i;
    for (; index % RUN !== 0 && numbers[order[index - 1]!]! < number; index--) order[index] = order[index - 1]!;
    order[index] = i;
  }
  let merged = pool.int32(count);
  for (let width = RUN; width < count; width *= 2) {
    for (let from = 0; from < count; from += 2 * width) {
      const middle = Math.min(from + width, count);
      mergeRuns(numbers, order, merged, from, middle, Math.min(middle + width, count));
    }
    [order, merged] = [merged, order];
  }
  return order;
}

/** Merges the sorted runs from `from` to `middle` and from there to `end`. */
function mergeRuns(
  numbers: Float64Array,
  order: Int32Array,
  merged: Int32Array,
  from: number,
  middle: number,
  end: number,
): void {
  for (let to = from, left = from, right = middle; to < end; to++) {
    const takesLeft = right === end || (left < middle && numbers[order[left]!]! >= numbers[order[right]!]!);
    merged[to] = order[takesLeft ? left++ : right++]!;
  }
}
