import { RELEVANCE_MODEL } from '../../shared/matching/index.ts';

/** The weights of the relevance model: one for each figure, and its calibration. */
export interface Weights {
  figures: readonly number[];
  calibration: typeof RELEVANCE_MODEL.calibration;
}

/** The figures by name: the constant, those of the conversation, those of a topic, that of keywords. */
export const names: readonly string[] = [
  'intercept',
  ...Object.keys(RELEVANCE_MODEL.context),
  ...Object.keys(RELEVANCE_MODEL.topic),
  'keywords',
];

/** What `work` gives where these weights are the model's own; afterwards they are what they were. */
export function using<T>({ figures, calibration }: Weights, work: () => T): T {
  const own = structuredClone(RELEVANCE_MODEL);
  const figure = (name: string) => figures[names.indexOf(name)] ?? 0;
  const group = (weights: object) => Object.fromEntries(Object.keys(weights).map((name) => [name, figure(name)]));
  Object.assign(RELEVANCE_MODEL, {
    intercept: figure('intercept'),
    context: group(own.context),
    topic: group(own.topic),
    keywords: figure('keywords'),
    calibration,
  });
  try {
    return work();
  } finally {
    Object.assign(RELEVANCE_MODEL, own);
  }
}
