import { readFileSync, writeFileSync } from 'node:fs';
import { type AdStrictness, RELEVANCE_MODEL } from '../../shared/matching/index.ts';

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

/** Where the commands `fit` and `vectors` write what they learn. */
export const WEIGHTS_FILE = new URL('../../shared/matching/ranking/relevance-weights.json', import.meta.url);

/** Two decimals say as much as the data does. */
export const round = (weight: number): number => Math.round(100 * weight) / 100;

/** Writes the weights file with changes, to the same or another place. */
export function updateWeights(path: string | URL, changes: object): void {
  const weights = { ...JSON.parse(readFileSync(WEIGHTS_FILE, 'utf8')), ...changes };
  writeFileSync(path, `${JSON.stringify(weights, null, 2)}\n`);
}

/** Writes the fitted weights and thresholds. */
export function writeWeights(path: string, weights: Weights, thresholds: Record<AdStrictness, number>): void {
  const { context, topic } = RELEVANCE_MODEL;
  const figure = (name: string) => round(weights[figureNames.indexOf(name)] ?? 0);
  const group = (named: object) => Object.fromEntries(Object.keys(named).map((name) => [name, figure(name)]));
  updateWeights(path, {
    intercept: figure('intercept'),
    context: group(context),
    topic: group(topic),
    keywords: figure('keywords'),
    latest: figure('latest'),
    likeness: figure('likeness'),
    asked: figure('asked'),
    thresholds,
  });
}
