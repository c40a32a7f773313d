import type { Seen } from './examples.ts';
import { dot, logistic, type TrainingExample } from './regression.ts';
import { names, type Weights } from './weights.ts';

const RIDGE = 1;
/** What campaigns weigh that are not the best of their conversation: there are many of them, and they never bid. */
const BESIDE = 0.7;

/**
 * The weights of relevance, fitted to what was seen: to all campaigns that share anything with a conversation; then
 * calibrated so that the best campaign of a conversation is right as often as it says (see `calibratedRelevance`). What speaks for a
 * campaign never speaks against it: the index's bounds rely on that.
 */
export function fitWeights(seen: readonly Seen[]): Weights {
  const all = (examples: readonly TrainingExample[]) => [...examples, ...seen.flatMap(({ blind }) => blind)];
  const first = logistic(all(seen.flatMap(({ examples }) => examples)), RIDGE);
  const best = new Set(bestOf(seen, first));
  const free = logistic(
    all(seen.flatMap(({ examples }) => examples.map((one) => (best.has(one) ? one : { ...one, weight: BESIDE })))),
    RIDGE,
  );
  const figures = free.map((weight, i) => (i < names.indexOf('evidence') ? weight : Math.max(0, weight)));
  const claims = bestOf(seen, figures).map(({ figures: own, right }): TrainingExample => {
    const logOdds = dot(figures, own);
    const unlikely = Math.log1p(Math.exp(-logOdds));
    return { figures: [1, -unlikely, logOdds + unlikely], right, weight: 1 };
  });
  const [shift, low, high] = logistic(claims, 0) as [number, number, number];
  return { figures, calibration: { shift, low: Math.max(0, low), high: Math.max(0, high) } };
}

/** Of each conversation, the campaign that these weights think most likely to be right. */
const bestOf = (seen: readonly Seen[], weights: readonly number[]): TrainingExample[] =>
  seen.flatMap(({ examples }) =>
    examples.length === 0
      ? []
      : examples.reduce((one, other) => (dot(weights, other.figures) > dot(weights, one.figures) ? other : one)),
  );
