import { RELEVANCE_MODEL } from '../../shared/matching/index.ts';

/** The weights of the relevance model, in the order of `names`. */
export type Weights = readonly number[];

/** The figures by name: the constant, those of the conversation, those of a topic, those of keywords, of what was said last and of likeness. */
export const figureNames: readonly string[] = [
  'intercept',
  ...Object.keys(RELEVANCE_MODEL.context),
  ...Object.keys(RELEVANCE_MODEL.topic),
  'keywords',
  'latest',
  'likeness',
  'asked',
];

/** Where the figures of a campaign begin, none of which may speak against it: the index's bounds rely on that. */
export const FIRST_OF_CAMPAIGN = figureNames.indexOf('evidence');

/** What `work` gives where these weights are the model's own; afterwards they are what they were. */
export function withWeights<T>(weights: Weights, work: () => T): T {
  const own = { ...RELEVANCE_MODEL }; // the very groups, which others may hold
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
