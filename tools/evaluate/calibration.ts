const BINS = 10;

/** What a candidate claimed to be, 0 to 1, and whether its ad would have been right. */
export interface PredictedRelevance {
  score: number;
  right: boolean;
}

/** Claims that lie in one tenth of 0 to 1. */
interface Bin {
  from: number;
  to: number;
  count: number;
  /** Mean of what its claims said. */
  predicted: number;
  /** Share of its claims that were right. */
  observed: number;
}

/** How far relevance is the chance of being right that it claims to be; 0 without claims. */
interface Calibration {
  bins: Bin[];
  /** Mean of |claimed - observed| over the bins that have claims. */
  error: number;
  /** The same, each bin weighing as much as it has claims. */
  weighted: number;
}

/** Compares what was claimed with what was right, in ten bins; 1 belongs to the last. */
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
