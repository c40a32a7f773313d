type Numbers = Int32Array | Uint8Array | Float32Array | Float64Array;

/** How much room to make for `length` numbers: an eighth more than needed, since what is spare is memory too. */
export const roomFor = (length: number): number => length + (length >> 3) + 16;

/** The same numbers in an array with more room. */
export function grown<A extends Numbers>(larger: A, smaller: A): A {
  larger.set(smaller);
  return larger;
}
