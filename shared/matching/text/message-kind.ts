import { FIRST_OF_LETTERS, visitMessageFeatures } from './message-features.ts';

/**
 * What a message asks a chat assistant for: something that a company could sell; work that the assistant itself does; knowledge; talk;
 * help with an order or an account; a command to a device or an app; a story; or instructions for doing it oneself with what one has.
 */
export const MESSAGE_KINDS = ['wish', 'task', 'fact', 'chat', 'plea', 'device', 'story', 'howto'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/**
 * A multinomial logistic regression on n-grams of words and letters. `npm run train -- kinds` learns it from `tools/kinds/texts`, messages of
 * our own by many writers. The judged conversations are not among them, so their figures say how well it reads people it has not seen.
 */
export interface KindWeights {
  /** The log-odds of each kind without any known n-gram, in the order of MESSAGE_KINDS, and the worth of one unit of a weight. */
  biases: readonly number[];
  step: number;
  /** By feature, a weight for each kind. */
  weights: Int8Array;
}

/** Number of features: n-grams of words in the lower half, n-grams of letters in the upper half, and the question mark. */
export const FIRST_KIND_LETTERS = 1 << 16;
export const KIND_FEATURES = 2 * FIRST_KIND_LETTERS + 1;
export const QUESTION = { feature: 2 * FIRST_KIND_LETTERS, value: 0.3, sign: /[?？؟]/ };

/** Characters read at each end of a long message. People say what they want at the beginning or at the end. */
const MAX_END_LENGTH = 400;

/** The probability of each kind, in the order of MESSAGE_KINDS. Time is bounded, since only the ends of a long message are read. */
export function readMessageKind(text: string, { biases, step, weights }: KindWeights): Float64Array {
  const kinds = MESSAGE_KINDS.length;
  const sums = [new Float64Array(kinds), new Float64Array(kinds)] as const;
  const counts: [number, number] = [0, 0];
  const add = (sum: Float64Array, feature: number, value: number) => {
    for (let kind = 0; kind < kinds; kind++) sum[kind]! += value * weights[kinds * feature + kind]!;
  };
  visitKindFeatures(text, (feature) => {
    const half = feature < FIRST_KIND_LETTERS ? 0 : 1;
    counts[half]++;
    add(sums[half], feature, 1);
  });
  // The n-grams of words, and those of letters, have length 1 together: a long message says no more than a short one.
  const [words, letters] = counts.map((count) => 1 / Math.sqrt(count || 1)) as [number, number];
  const scores = sums[0].map((sum, kind) => words * sum + letters * sums[1][kind]!);
  if (QUESTION.sign.test(text)) add(scores, QUESTION.feature, QUESTION.value);
  const logOdds = scores.map((score, kind) => step * score + biases[kind]!);
  return softmax(logOdds);
}

/** The probabilities that belong to log-odds. */
export function softmax(logOdds: Float64Array): Float64Array {
  const highest = Math.max(...logOdds);
  const odds = logOdds.map((one) => Math.exp(one - highest));
  const total = odds.reduce((sum, one) => sum + one, 0);
  return odds.map((one) => one / total);
}

/** Calls `visit` with each n-gram of the ends of a message. */
export function visitKindFeatures(text: string, visit: (feature: number) => void): void {
  const isLong = text.length > 2 * MAX_END_LENGTH;
  visitMessageFeatures(isLong ? `${text.slice(0, MAX_END_LENGTH)}\n${text.slice(-MAX_END_LENGTH)}` : text, {
    onFeature: (feature) =>
      visit((feature & (FIRST_KIND_LETTERS - 1)) + (feature < FIRST_OF_LETTERS ? 0 : FIRST_KIND_LETTERS)),
  });
}
