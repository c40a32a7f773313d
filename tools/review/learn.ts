import { TEXT_FIELDS } from '../../shared/campaigns/creative.ts';
import {
  extractFeatures,
  getFeatureShare,
  MeaningReader,
  type Meanings,
} from '../../shared/campaigns/review/features.ts';
import type { ReviewWeights } from '../../shared/campaigns/review/model.ts';
import { foldForReview, getPassages, joinPassages } from '../../shared/campaigns/review/passages.ts';
import { getReviewTexts } from '../../shared/campaigns/review/review.ts';
import { getDomain } from '../../shared/platform/values/urls.ts';
import { generator } from '../random.ts';
import type { ReviewedCreative } from './texts.ts';

/** A feature of fewer texts is chance. */
const FEWEST_TEXTS = 3;
/** Rounds in which the passage of an attack that speaks most to a model is looked for, and learned from; the first takes the last one. */
const ROUNDS = 3;
/** The weights are the mean of so many runs, each with its examples in another order. */
const RUNS = 3;
const EPOCHS = 12;
const STEP = 0.5;
const RIDGE = 1e-4;
/** What is taken off all log odds: of the harmless texts of a writer who is left out, three in a thousand are above 0 then. */
const CAUTION = 1.3;

interface Passage {
  features: Int32Array;
  share: number;
}

interface Example extends Passage {
  isAttack: boolean;
}

type Learned = Omit<ReviewWeights, 'learnedFrom'>;

/** By feature its weight, and the bias behind them. */
type Weights = Float64Array;

/**
 * Learns to tell creatives that address a model: a logistic regression on the features of passages. Which passage of an attack is the one
 * that attacks nobody says, so it is the one that looks most like it (multiple instance learning). The same weights each time.
 */
export function learn(creatives: readonly ReviewedCreative[], meanings: Meanings): Learned {
  const folded = Object.fromEntries(Object.entries(meanings).map(([meaning, words]) => [meaning, foldWords(words)]));
  const reader = new MeaningReader(folded);
  const read = creatives.map(({ creative, isAttack }) => ({
    isAttack,
    passages: passagesIn(creative).map((one) => featuresIn(one, reader)),
  }));
  const known = number(read.map(({ passages }) => passages));
  const bags = read.map(({ isAttack, passages }) => ({
    isAttack,
    passages: passages.map((one) => renumber(one, known)),
  }));
  let weights: Weights | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const examples: Example[] = bags.flatMap(({ isAttack, passages }) =>
      (isAttack ? [strongest(passages, weights)] : passages).map((passage) => ({ ...passage, isAttack })),
    );
    weights = fit(examples, known.size, round === ROUNDS - 1 ? RUNS : 1);
  }
  return pack(weights!, known, folded);
}

/** The passages by which a creative is judged, each once: those of each field, then those of two fields. */
function passagesIn(creative: ReviewedCreative['creative']): string[] {
  const texts = getReviewTexts(creative, getDomain(creative.landingUrl));
  const joined = joinPassages(texts).map(({ passage }) => passage);
  return [...new Set([...TEXT_FIELDS.flatMap((name) => getPassages(texts[name])), ...joined])];
}

const foldWords = (words: string): string => [...new Set(foldForReview(words).split(' '))].join(' ');

function featuresIn(passage: string, reader: MeaningReader): { features: Set<number>; share: number } {
  const features = extractFeatures(foldForReview(passage), reader);
  return { features, share: getFeatureShare(features) };
}

/** The features of several texts, each with a number of its own. */
function number(texts: readonly { features: Set<number> }[][]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const passages of texts)
    for (const feature of new Set(passages.flatMap(({ features }) => [...features])))
      counts.set(feature, (counts.get(feature) ?? 0) + 1);
  const kept = [...counts].filter(([, count]) => count >= FEWEST_TEXTS);
  return new Map(kept.map(([feature], at) => [feature, at]));
}

const renumber = (
  { features, share }: { features: Set<number>; share: number },
  known: Map<number, number>,
): Passage => ({
  share,
  features: Int32Array.from([...features].flatMap((feature) => known.get(feature) ?? [])),
});

function strongest(passages: readonly Passage[], weights: Weights | undefined): Passage {
  if (!weights) return passages.at(-1)!;
  const odds = passages.map((passage) => logOdds(passage, weights));
  return passages[odds.indexOf(Math.max(...odds))]!;
}

function logOdds({ features, share }: Passage, weights: Weights): number {
  let sum = 0;
  for (const feature of features) sum += weights[feature]!;
  return weights.at(-1)! + sum * share;
}

/** Stochastic descent with a step of its own for each feature (J. Duchi, E. Hazan, Y. Singer 2011): rare ones move faster. */
function fit(examples: readonly Example[], features: number, runs: number): Weights {
  const mean = new Float64Array(features + 1);
  for (let run = 0; run < runs; run++) {
    const draw = generator(run + 1);
    const weights = new Float64Array(features + 1);
    const moved = new Float64Array(features + 1).fill(1e-6);
    const order = [...examples];
    for (let epoch = 0; epoch < EPOCHS; epoch++) {
      for (let i = order.length - 1; i > 0; i--) {
        const j = Math.floor(draw() * (i + 1));
        [order[i], order[j]] = [order[j]!, order[i]!];
      }
      for (const example of order) descend(example, weights, moved);
    }
    for (const [i, weight] of weights.entries()) mean[i]! += weight / runs;
  }
  return mean;
}

function descend(example: Example, weights: Weights, moved: Float64Array): void {
  const error = 1 / (1 + Math.exp(-logOdds(example, weights))) - (example.isAttack ? 1 : 0);
  for (const feature of example.features) {
    const slope = error * example.share + RIDGE * weights[feature]!;
    moved[feature]! += slope * slope;
    weights[feature]! -= (STEP * slope) / Math.sqrt(moved[feature]!);
  }
  const bias = weights.length - 1;
  moved[bias]! += error * error;
  weights[bias]! -= (0.3 * STEP * error) / Math.sqrt(moved[bias]!);
}

/** The weights in steps of a byte. */
function pack(weights: Weights, known: ReadonlyMap<number, number>, meanings: Meanings): Learned {
  const features = Uint32Array.from(known.keys()).sort();
  const sorted = [...features].map((feature) => weights[known.get(feature)!]!);
  const step = sorted.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127;
  return {
    meanings,
    bias: weights.at(-1)! - CAUTION,
    step,
    features,
    weights: Int8Array.from(sorted, (weight) => Math.round(weight / step)),
  };
}
