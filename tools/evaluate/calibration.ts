const BINS = 10;

/** The predicted relevance of a candidate, 0 to 1, and whether its ad is correct. */
export interface PredictedRelevance {
  score: number;
  right: boolean;
}

/** The predictions within one tenth of 0 to 1. */
interface Bin {
  from: number;
  to: number;
  count: number;
  /** Mean predicted relevance. */
  predicted: number;
  /** Share of correct ads. */
  observed: number;
}

/** The difference between predicted relevance and the share of correct ads; 0 without predictions. */
interface Calibration {
  bins: Bin[];
  /** Mean of |predicted - observed| over non-empty bins. */
  error: number;
  /** The same, with bins weighted by their number of predictions. */
  weighted: number;
}

/** Compares predictions with outcomes in ten bins; 1 belongs to the last bin. */
export function calibrate(claims: readonly PredictedRelevance[]): Calibration {
  const bins = Array.from({ length: BINS }, (_, index): Bin => {
    const inside = claims.filter(({ score }) => getBin(score) === index);
    return {
      from: index / BINS,
      to: (index + 1) / BINS,
      count: inside.length,
      predicted: mean(inside.map(({ score }) => score)),
      observed: mean(inside.map(({ right }) => (right ? 1 : 0))),
    };
  });
  const used = bins.filter(({ count: claims }) => claims > 0);
  const gap = ({ predicted: claimed, observed }: Bin) => Math.abs(claimed - observed);
  return {
    bins,
    error: mean(used.map(gap)),
    weighted: claims.length === 0 ? 0 : sum(used.map((bin) => bin.count * gap(bin))) / claims.length,
  };
}

const getBin = (score: number): number => Math.min(BINS - 1, Math.max(0, Math.floor(score * BINS)));
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length);
