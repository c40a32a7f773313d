// Of one type of array alone: code that meets several is slower.

/** Makes a number of a column at least `value`. */
export function raise(column: Float32Array, index: number, value: number): void {
  if (column[index]! < value) column[index] = value;
}

/** Makes a number of a column at most `value`. */
export function lower(column: Float32Array, index: number, value: number): void {
  if (column[index]! > value) column[index] = value;
}

/** Adds to a number of a column. */
export function add(column: Float32Array, index: number, amount: number): void {
  column[index] = column[index]! + amount;
}

/** Multiplies a number of a column. */
export function scale(column: Float32Array, index: number, factor: number): void {
  column[index] = column[index]! * factor;
}
