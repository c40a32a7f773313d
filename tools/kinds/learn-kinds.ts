import {
  FIRST_KIND_LETTERS,
  KIND_FEATURES,
  type KindWeights,
  MESSAGE_KINDS,
  QUESTION,
  readMessageKind,
  softmax,
  visitKindFeatures,
} from '../../shared/matching/index.ts';
import { generator, shuffle } from '../random.ts';
import type { KindMessage } from './kind-messages.ts';

/** A message as the classifier reads it: the numbers of its n-grams and their values. */
interface Example {
  features: Int32Array;
  values: Float32Array;
  kind: number;
  /** How much it counts. */
  weight: number;
}

/** Passes over all messages, the step size, and the start of the sum of squared slopes (AdaGrad; Duchi, Hazan, and Singer 2011). */
const ROUNDS = 8;
const RATE = 0.5;
const FIRST_SQUARE = 0.1;
const BIAS_RATE = 0.02;
const PENALTY = 1e-6;
/** Slopes below this change nothing that counts. */
const MIN_SLOPE = 1e-3;
/** Texts of the safety classifier that were only labeled are short and often say little. Wishes are half of the messages. */
const WEIGHTS = { labeled: 0.5, wish: 0.5 };

/** Learns the classifier of kinds of messages. The same messages give the same weights. */
export function learnKinds(messages: readonly KindMessage[]): KindWeights {
  const kinds = MESSAGE_KINDS.length;
  const examples = messages.map(toExample);
  const weights = new Float32Array(kinds * KIND_FEATURES);
  const squares = new Float32Array(kinds * KIND_FEATURES).fill(FIRST_SQUARE);
  const biases = new Float64Array(kinds);
  const draw = generator(1);
  for (let round = 0; round < ROUNDS; round++) {
    shuffle(examples, draw);
    for (const { features, values, kind, weight } of examples) {
      const chances = predict(features, values, weights, biases);
      for (let other = 0; other < kinds; other++) {
        const slope = weight * (chances[other]! - (other === kind ? 1 : 0));
        biases[other]! -= BIAS_RATE * slope;
        if (Math.abs(slope) < MIN_SLOPE) continue;
        for (let i = 0; i < features.length; i++) {
          const place = kinds * features[i]! + other;
          const own = slope * values[i]! + PENALTY * weights[place]!;
          squares[place]! += own * own;
          weights[place]! -= (RATE * own) / Math.sqrt(squares[place]!);
        }
      }
    }
  }
  const step = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127;
  return { biases: [...biases], step, weights: Int8Array.from(weights, (weight) => Math.round(weight / step)) };
}

function predict(
  features: Int32Array,
  values: Float32Array,
  weights: Float32Array,
  biases: Float64Array,
): Float64Array {
  const kinds = biases.length;
  const scores = Float64Array.from(biases);
  for (let i = 0; i < features.length; i++)
    for (let kind = 0; kind < kinds; kind++) scores[kind]! += weights[kinds * features[i]! + kind]! * values[i]!;
  return softmax(scores);
}

function toExample({ text, kind, labeled }: KindMessage): Example {
  const counts = new Map<number, number>();
  const sizes: [number, number] = [0, 0];
  visitKindFeatures(text, (feature) => {
    sizes[feature < FIRST_KIND_LETTERS ? 0 : 1]++;
    counts.set(feature, (counts.get(feature) ?? 0) + 1);
  });
  const features = [...counts.keys()];
  const values = features.map(
    (feature) => counts.get(feature)! / Math.sqrt(sizes[feature < FIRST_KIND_LETTERS ? 0 : 1]),
  );
  if (QUESTION.sign.test(text)) {
    features.push(QUESTION.feature);
    values.push(QUESTION.value);
  }
  return {
    features: Int32Array.from(features),
    values: Float32Array.from(values),
    kind: MESSAGE_KINDS.indexOf(kind),
    weight: (labeled ? WEIGHTS.labeled : 1) * (kind === 'wish' ? WEIGHTS.wish : 1),
  };
}

const FOLDS = 5;

/** Each message with the chances of its kinds, by weights that the writers of the other folds taught. The largest writers are in different folds. */
export function leaveWritersOut(messages: readonly KindMessage[]): (KindMessage & { chances: Float64Array })[] {
  const sizes = Map.groupBy(messages, ({ writer }) => writer);
  const writers = [...sizes.keys()].sort((a, b) => sizes.get(b)!.length - sizes.get(a)!.length);
  const foldOf = new Map(writers.map((writer, i) => [writer, i % FOLDS]));
  return Array.from({ length: FOLDS }, (_, fold) => {
    const weights = learnKinds(messages.filter(({ writer }) => foldOf.get(writer) !== fold));
    return messages
      .filter(({ writer }) => foldOf.get(writer) === fold)
      .map((message) => ({ ...message, chances: readMessageKind(message.text, weights) }));
  }).flat();
}
