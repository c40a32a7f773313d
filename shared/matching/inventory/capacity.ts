type NumberArray = Int32Array | Uint8Array | Float32Array | Float64Array;

/** The capacity of an array for `length` numbers: an eighth more than needed, since what is unused is memory too. */
export const capacityFor = (length: number): number => length + (length >> 3) + 16;

/** The same numbers in a larger array. */
export function copyInto<A extends NumberArray>(larger: A, smaller: A): A {
  larger.set(smaller);
  return larger;
}
