/** Running totals of the counts, followed by the grand total. */
export function prefixSums(counts: Uint8Array | Uint16Array | Int32Array): Int32Array {
  const sums = new Int32Array(counts.length + 1);
  let sum = 0;
  let i = 0;
  for (const count of counts) {
    sums[i++] = sum;
    sum += count;
  }
  sums[i] = sum;
  return sums;
}
