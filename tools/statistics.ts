/** The nearest-rank percentile: at least this share (0 to 1) of the values are at or below the result. 0 for an empty list. */
export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? 0;
}

/** The median; the upper of the two middle values. The list must not be empty. */
export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
