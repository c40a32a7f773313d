import { RELEVANCE_MODEL } from '../../shared/matching/index.ts';

/** The weights of the relevance model, in the order of `names`. */
export type Weights = readonly number[];

/** The names of the features: the constant, the conversation, a topic, keywords, the latest message, and likeness. */
export const figureNames: readonly string[] = [
  'intercept',
  ...Object.keys(RELEVANCE_MODEL.context),
  ...Object.keys(RELEVANCE_MODEL.topic),
  'keywords',
  'latest',
  'likeness',
  'asked',
];

/** Index of the first campaign feature. Weights from here on must not be negative: the bounds of the index rely on it. */
export const FIRST_OF_CAMPAIGN = figureNames.indexOf('evidence');

/** Runs `work` with these weights in the model, then restores the previous weights. @returns the result of `work` */
export function withWeights<T>(weights: Weights, work: () => T): T {
  const own = { ...RELEVANCE_MODEL }; // keep the same nested objects, because others may refer to them
  const figure = (name: string) => weights[figureNames.indexOf(name)] ?? 0;
  const group = (named: object) => Object.fromEntries(Object.keys(named).map((name) => [name, figure(name)]));
  Object.assign(RELEVANCE_MODEL, {
    intercept: figure('intercept'),
    context: group(own.context),
    topic: group(own.topic),
    keywords: figure('keywords'),
    latest: figure('latest'),
    likeness: figure('likeness'),
    asked: figure('asked'),
  });
  try {
    return work();
  } finally {
    Object.assign(RELEVANCE_MODEL, own);
  }
}
