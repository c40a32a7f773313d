/** A training example: its feature values, whether it is right, and its weight. */
export interface TrainingExample {
  figures: readonly number[];
  right: boolean;
  weight: number;
}

const MAX_ROUNDS = 50;
const TOLERANCE = 1e-6;
/** Keeps the curvature of nearly certain examples above zero. */
const MIN_CURVATURE = 1e-6;

/** The gradient and curvature of a likelihood. Only the lower triangle of the curvature is filled. */
interface Derivatives {
  slope: number[];
  curvature: number[][];
}

/**
 * Coefficients of a logistic regression, one for each feature, with an L2 penalty of `ridge` on all but the first feature, which must be
 * the constant 1 (Hastie, Tibshirani, Friedman: The Elements of Statistical Learning, 4.4.1).
 */
export function logisticRegression(examples: readonly TrainingExample[], ridge: number): number[] {
  const penalties = (examples[0]?.figures ?? []).map((_, i) => (i === 0 ? 0 : ridge));
  return newton(penalties, (found, derivatives) => {
    for (const { figures, right, weight } of examples) {
      const chance = sigmoid(dot(found, figures));
      const bend = weight * Math.max(MIN_CURVATURE, chance * (1 - chance));
      addTo(derivatives, figures, weight * ((right ? 1 : 0) - chance), bend);
    }
  });
}

/**
 * Coefficients of a conditional logistic regression, which distinguish the right examples of each group from its others. Features that
 * are equal within a group have no effect (D. McFadden 1974). All coefficients are penalized.
 */
export function conditionalLogistic(groups: readonly (readonly TrainingExample[])[], ridge: number): number[] {
  const open = groups.filter((group) => group.some(({ right }) => right) && group.some(({ right }) => !right));
  const penalties = (groups.find(([first]) => first)?.[0]?.figures ?? []).map(() => ridge);
  return newton(penalties, (found, derivatives) => {
    for (const group of open) {
      const scores = group.map(({ figures }) => dot(found, figures));
      const most = Math.max(...scores);
      const odds = scores.map((score) => Math.exp(score - most));
      const all = odds.reduce((sum, one) => sum + one);
      const right = odds.reduce((sum, one, i) => sum + (group[i]!.right ? one : 0), 0);
      const mean = penalties.map(() => 0);
      for (const [i, { figures }] of group.entries()) {
        const chance = odds[i]! / all;
        addTo(derivatives, figures, (group[i]!.right ? odds[i]! / right : 0) - chance, chance);
        for (const [k, value] of figures.entries()) mean[k]! += chance * value;
      }
      addTo(derivatives, mean, 0, -1);
    }
  });
}

/** Maximizes a likelihood with an L2 penalty for each coefficient by Newton's method. */
function newton(
  penalties: readonly number[],
  likelihood: (found: readonly number[], derivatives: Derivatives) => void,
): number[] {
  const found = penalties.map(() => 0);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const slope = found.map((coefficient, i) => -penalties[i]! * coefficient);
    const curvature = found.map((_, i) => found.map((_, j) => (i === j ? penalties[i]! : 0)));
    likelihood(found, { slope, curvature });
    for (let i = 0; i < found.length; i++) for (let j = 0; j < i; j++) curvature[j]![i] = curvature[i]![j]!;
    const step = solve(curvature, slope);
    for (let i = 0; i < found.length; i++) found[i]! += step[i]!;
    if (Math.max(...step.map(Math.abs)) < TOLERANCE) break;
  }
  return found;
}

function addTo({ slope, curvature }: Derivatives, figures: readonly number[], error: number, bend: number): void {
  for (let i = 0; i < figures.length; i++) {
    const figure = figures[i]!;
    if (figure === 0) continue;
    slope[i]! += error * figure;
    const row = curvature[i]!;
    for (let j = 0; j <= i; j++) row[j]! += bend * figure * figures[j]!;
  }
}

export function dot(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += one[i]! * other[i]!;
  return sum;
}

const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** Solves `matrix` x = `vector` by Gaussian elimination with partial pivoting; a constant feature gets 0. */
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
