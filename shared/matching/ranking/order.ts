import type { ArrayPool } from '../reading/array-pool.ts';

/** Numbers that differ by less than 1 / STEPS may stand in any order; those that are further from the largest than BUCKETS / STEPS too. */
const STEPS = 64;
const BUCKETS = 1024;

/**
 * The indexes of the first `count` numbers, the largest first, in steps of a sixty-fourth: a counting sort, because sorting some
 * hundred log-odds to the last digit took as long as reading a tenth of the conversation, and what is searched first need not be so exact.
 */
export function inDescendingSteps(numbers: Float64Array, count: number, pool: ArrayPool): Int32Array {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) most = Math.max(most, numbers[i]!);
  const bucketOf = (number: number) => Math.min(BUCKETS - 1, Math.floor(STEPS * (most - number)));
  // By bucket, how many numbers stand before it, then where its next one goes.
  const ends = pool.int32(BUCKETS + 1);
  for (let i = 0; i < count; i++) ends[bucketOf(numbers[i]!) + 1]!++;
  for (let bucket = 0; bucket < BUCKETS; bucket++) ends[bucket + 1]! += ends[bucket]!;
  const order = pool.int32(count);
  for (let i = 0; i < count; i++) order[ends[bucketOf(numbers[i]!)]!++] = i;
  return order;
}
