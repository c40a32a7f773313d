type Column = Float32Array | Int32Array;

/** Makes a number of a column at least `value`. */
export function raise(column: Column, index: number, value: number): void {
  if (column[index]! < value) column[index] = value;
}

/** Makes a number of a column at most `value`. */
export function lower(column: Column, index: number, value: number): void {
  if (column[index]! > value) column[index] = value;
}

/** Adds to a number of a column. */
export function add(column: Column, index: number, amount: number): void {
  column[index] = column[index]! + amount;
}

/** Multiplies a number of a column. */
export function scale(column: Column, index: number, factor: number): void {
  column[index] = column[index]! * factor;
}
