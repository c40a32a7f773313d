import { RELEVANCE } from '../../shared/matching/reading/weights.ts';

/** The weights of relevance: one for each figure, and how their claim is bent to what came true. */
export interface Weights {
  figures: number[];
  claim: typeof RELEVANCE.claim;
}

/** The figures by name: the constant, those of the conversation, those of a topic, that of keywords. */
export const names = [
  'intercept',
  ...Object.keys(RELEVANCE.climate),
  'evidence',
  'share',
  'cover',
  'asked',
  'interest',
  'literal',
];

/** What `work` gives where these weights are relevance's own; afterwards they are what they were. */
export function using<T>({ figures, claim }: Weights, work: () => T): T {
  const own = structuredClone(RELEVANCE);
  const [intercept, ...rest] = figures as [number, ...number[]];
  const keys = Object.keys(RELEVANCE.climate);
  const climate = Object.fromEntries(keys.map((key, i) => [key, rest[i]!]));
  const topic = rest.slice(keys.length, -1) as typeof RELEVANCE.topic;
  Object.assign(RELEVANCE, { intercept, climate, topic, literal: rest.at(-1)!, claim });
  try {
    return work();
  } finally {
    Object.assign(RELEVANCE, own);
  }
}
