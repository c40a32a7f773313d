import type { ReviewWeights } from '../../shared/campaigns/review/model.ts';

const MOST_APART = 0xffff;

/** As `reviewModel` reads it. */
export function packReviewWeights({ features, weights, ...rest }: ReviewWeights): Uint8Array {
  const steps = Uint16Array.from(features, (feature, i) => {
    const step = feature - (features[i - 1] ?? 0);
    if (step > MOST_APART) throw new RangeError('two features are too far apart to be told in two bytes');
    return step;
  });
  const bytes = [new Uint8Array(steps.buffer), new Uint8Array(weights.buffer)];
  return Buffer.concat([Buffer.from(`${JSON.stringify(rest)}\n`), ...bytes]);
}
