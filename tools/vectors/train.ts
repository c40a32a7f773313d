import { writeFileSync } from 'node:fs';
import { WORD_VECTORS } from '../../infra/lexicon/paths.ts';
import { packWordVectors } from '../../infra/lexicon/word-vectors.ts';
import { VECTOR_SIZE } from '../../shared/matching/index.ts';
import { countWords, type WordCounts } from './counts.ts';
import { rowFactors, type SparseMatrix } from './factors.ts';

/** Reduces the influence of frequent contexts (O. Levy, Y. Goldberg, I. Dagan, TACL 2015). */
const CONTEXT_SMOOTHING = 0.75;

/**
 * `npm run train -- vectors`: learns word vectors from `phrases.txt.br`, with positive pointwise mutual information reduced to its
 * strongest directions. Words that appear next to the same words and under the same topics are near each other. Deterministic.
 */
function train(): Uint8Array {
  const counted = countWords();
  const factors = rowFactors(mutualInformation(counted), VECTOR_SIZE);
  const vectors = new Int8Array(factors.length * VECTOR_SIZE);
  for (const [word, factor] of factors.entries()) {
    const length = Math.hypot(...factor) || 1;
    for (const [k, value] of factor.entries()) vectors[word * VECTOR_SIZE + k] = Math.round((127 * value) / length);
  }
  return packWordVectors({ words: counted.words, vectors });
}

function mutualInformation({ words, counts, contexts }: WordCounts): SparseMatrix {
  const ofContext = new Float64Array(contexts);
  for (const row of counts) for (const [context, count] of row) ofContext[context]! += count;
  const smoothed = ofContext.map((count) => count ** CONTEXT_SMOOTHING);
  const all = sum(smoothed);
  const starts = new Int32Array(words.length + 1);
  const indexes: number[] = [];
  const values: number[] = [];
  for (const [word, row] of counts.entries()) {
    const ofWord = sum(row.values());
    for (const [context, count] of row) {
      const information = Math.log(((count / ofWord) * all) / smoothed[context]!);
      if (information <= 0) continue;
      indexes.push(context);
      values.push(information);
    }
    starts[word + 1] = indexes.length;
  }
  return {
    rows: words.length,
    columns: contexts,
    starts,
    indexes: Int32Array.from(indexes),
    values: Float64Array.from(values),
  };
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

writeFileSync(WORD_VECTORS, train());
