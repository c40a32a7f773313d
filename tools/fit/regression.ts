/** One thing seen: its figures, whether it was right, and how much it counts. */
export interface TrainingExample {
  figures: readonly number[];
  right: boolean;
  weight: number;
}

const ROUNDS = 50;
const ENOUGH = 1e-6;
/** Keeps the curvature of examples that are all but certain above zero. */
const LEAST_CURVATURE = 1e-6;

/**
 * Coefficients of a logistic regression, one for each figure: Newton's method on the likelihood with an L2 penalty of `ridge` on
 * all but the first figure, which is taken to be the constant 1 (Hastie, Tibshirani, Friedman: The Elements of Statistical
 * Learning, 4.4.1).
 */
export function logistic(examples: readonly TrainingExample[], ridge: number): number[] {
  const size = examples[0]?.figures.length ?? 0;
  const found = new Array<number>(size).fill(0);
  for (let round = 0; round < ROUNDS; round++) {
    const slope = found.map((coefficient, i) => (i === 0 ? 0 : -ridge * coefficient));
    const curvature = found.map((_, i) => found.map((_, j) => (i === j && i > 0 ? ridge : 0)));
    for (const { figures, right, weight } of examples) {
      const chance = sigmoid(dot(found, figures));
      const error = weight * ((right ? 1 : 0) - chance);
      const bend = weight * Math.max(LEAST_CURVATURE, chance * (1 - chance));
      for (let i = 0; i < size; i++) {
        slope[i] = slope[i]! + error * figures[i]!;
        for (let j = 0; j < size; j++) curvature[i]![j] = curvature[i]![j]! + bend * figures[i]! * figures[j]!;
      }
    }
    const step = solve(curvature, slope);
    for (let i = 0; i < size; i++) found[i] = found[i]! + step[i]!;
    if (Math.max(...step.map(Math.abs)) < ENOUGH) break;
  }
  return found;
}

export const dot = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, i) => sum + value * other[i]!, 0);

const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** Solves `matrix` x = `vector` by Gaussian elimination with partial pivoting; a figure that never varies gets 0. */
function solve(matrix: readonly (readonly number[])[], vector: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, vector[i]!]);
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    const pivot = rows
      .slice(column)
      .reduce((best, row, i) => (Math.abs(row[column]!) > Math.abs(rows[best]![column]!) ? column + i : best), column);
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    for (const row of rows.slice(column + 1)) {
      const factor = rows[column]![column] === 0 ? 0 : row[column]! / rows[column]![column]!;
      for (let i = column; i <= size; i++) row[i] = row[i]! - factor * rows[column]![i]!;
    }
  }
  const found = new Array<number>(size).fill(0);
  for (let i = size - 1; i >= 0; i--) {
    const rest = rows[i]!.slice(i + 1, size).reduce((sum, value, j) => sum + value * found[i + 1 + j]!, 0);
    found[i] = rows[i]![i] === 0 ? 0 : (rows[i]![size]! - rest) / rows[i]![i]!;
  }
  return found;
}
