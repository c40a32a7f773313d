import { generator } from '../random.ts';

/** A sparse matrix by rows: row i has the columns and values from `starts[i]` up to, but excluding, `starts[i + 1]`. */
export interface SparseMatrix {
  rows: number;
  columns: number;
  starts: Int32Array;
  indexes: Int32Array;
  values: Float64Array;
}

/** Additional directions, and rounds. Higher values do not change matches. */
const EXTRA_DIRECTIONS = 8;
const ROUNDS = 4;
const SEED = 12345;

/**
 * The coordinates of each row along the `size` strongest directions of the matrix, divided by the square root of the direction's
 * strength. A singular value decomposition by randomized subspace iteration (Halko, Martinsson, Tropp, SIAM Review 2011).
 */
export function rowFactors(matrix: SparseMatrix, size: number): Float64Array[] {
  const width = size + EXTRA_DIRECTIONS;
  const next = generator(SEED);
  let basis: Float64Array = Float64Array.from({ length: matrix.columns * width }, () => next() - 0.5);
  let product = times(matrix, basis, width);
  for (let round = 0; round < ROUNDS; round++) {
    orthonormalize(product, width);
    basis = transposedTimes(matrix, product, width);
    orthonormalize(basis, width);
    product = times(matrix, basis, width);
  }
  const strengths = Array.from({ length: size }, (_, k) => norm(product, k, width));
  return Array.from({ length: matrix.rows }, (_, row) =>
    Float64Array.from(strengths, (strength, k) => product[row * width + k]! / Math.sqrt(strength)),
  );
}

function times({ rows, starts, indexes, values }: SparseMatrix, dense: Float64Array, width: number): Float64Array {
  const product = new Float64Array(rows * width);
  for (let row = 0; row < rows; row++)
    for (let entry = starts[row]!; entry < starts[row + 1]!; entry++)
      addScaled(product, row * width, dense, indexes[entry]! * width, values[entry]!, width);
  return product;
}

function transposedTimes(matrix: SparseMatrix, dense: Float64Array, width: number): Float64Array {
  const { rows, columns, starts, indexes, values } = matrix;
  const product = new Float64Array(columns * width);
  for (let row = 0; row < rows; row++)
    for (let entry = starts[row]!; entry < starts[row + 1]!; entry++)
      addScaled(product, indexes[entry]! * width, dense, row * width, values[entry]!, width);
  return product;
}

function addScaled(to: Float64Array, at: number, from: Float64Array, start: number, by: number, width: number): void {
  for (let k = 0; k < width; k++) to[at + k]! += by * from[start + k]!;
}

/** Orthonormalizes the columns of a dense matrix in place (modified Gram-Schmidt). */
function orthonormalize(dense: Float64Array, width: number): void {
  for (let column = 0; column < width; column++) {
    for (let before = 0; before < column; before++) {
      let overlap = 0;
      for (let at = 0; at < dense.length; at += width) overlap += dense[at + column]! * dense[at + before]!;
      for (let at = 0; at < dense.length; at += width) dense[at + column]! -= overlap * dense[at + before]!;
    }
    const length = norm(dense, column, width) || 1;
    for (let at = column; at < dense.length; at += width) dense[at]! /= length;
  }
}

function norm(dense: Float64Array, column: number, width: number): number {
  let sum = 0;
  for (let at = column; at < dense.length; at += width) sum += dense[at]! ** 2;
  return Math.sqrt(sum);
}
