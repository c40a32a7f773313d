const BINS = 10;

/** Bids whose relevance lies in one tenth of 0 to 1. */
export interface Bin {
  from: number;
  to: number;
  bids: number;
  /** Mean relevance of its bids: the chance of being right that they claimed. */
  claimed: number;
  /** Share of its bids that were right. */
  observed: number;
}

/** How far relevance is the chance of being right that it claims to be. */
export interface Calibration {
  bins: Bin[];
  /** Mean of |claimed - observed| over the bins, each weighing as much as it has bids; 0 without bids. */
  error: number;
}

/** Compares what bids claimed with what they were, in ten bins; 1 belongs to the last. */
export function calibrate(bids: readonly { score: number; outcome: 'right' | 'wrong' | 'none' }[]): Calibration {
  const bins = Array.from({ length: BINS }, (_, index): Bin => {
    const inside = bids.filter(({ score }) => binOf(score) === index);
    return {
      from: index / BINS,
      to: (index + 1) / BINS,
      bids: inside.length,
      claimed: mean(inside.map(({ score }) => score)),
      observed: mean(inside.map(({ outcome }) => (outcome === 'right' ? 1 : 0))),
    };
  });
  const gaps = bins.map(({ bids, claimed, observed }) => bids * Math.abs(claimed - observed));
  return { bins, error: bids.length === 0 ? 0 : sum(gaps) / bids.length };
}

const binOf = (score: number): number => Math.min(BINS - 1, Math.max(0, Math.floor(score * BINS)));
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length);
