import type { AdStrictness } from '../../shared/matching/index.ts';
import { computeFigures } from '../evaluate/score.ts';
import { type RowTrial, scoreWinner } from './leave-out.ts';

/**
 * What a publisher wants at each strictness: how much a wrong ad costs, compared with what a right one is worth, and the share of the
 * conversations that want no ad.
 */
const UTILITIES: Record<AdStrictness, { cost: number; unwanted: number }> = {
  strict: { cost: 2, unwanted: 0.7 },
  balanced: { cost: 1, unwanted: 0.5 },
  open: { cost: 0.5, unwanted: 0.5 },
};

/** Thresholds that are worth about the same, in points of utility: of these, the lowest fills most. */
const TOLERANCE = 0.003;
const CANDIDATES = Array.from({ length: 60 }, (_, i) => (30 + i) / 100);

/** The threshold of each strictness with the highest mean utility over the folders, by the left-out results. */
export function chooseThresholds(
  trials: readonly RowTrial[],
  folderOf: (trial: RowTrial) => unknown,
): Record<AdStrictness, number> {
  const folders = [...Map.groupBy(trials, folderOf).values()];
  const choose = (utility: { cost: number; unwanted: number }): number => {
    const values = CANDIDATES.map(
      (threshold) => folders.reduce((sum, own) => sum + computeUtility(own, threshold, utility), 0) / folders.length,
    );
    const enough = Math.max(...values) - TOLERANCE;
    return CANDIDATES[values.findIndex((value) => value >= enough)]!;
  };
  return {
    strict: choose(UTILITIES.strict),
    balanced: choose(UTILITIES.balanced),
    open: choose(UTILITIES.open),
  };
}

/** The mean worth of a conversation: 1 for a right ad, minus the cost of a wrong one, 0 without an ad. */
function computeUtility(
  trials: readonly RowTrial[],
  threshold: number,
  { cost, unwanted }: { cost: number; unwanted: number },
): number {
  const scored = trials.map(({ seen, heldOut }) => scoreWinner(seen.row, heldOut, threshold));
  const { recall, positives, falseBidRate } = computeFigures(scored);
  const wrong =
    scored.filter(({ kind, outcome }) => kind === 'positive' && outcome === 'wrong').length / Math.max(1, positives);
  return (1 - unwanted) * (recall - cost * wrong) - unwanted * cost * falseBidRate;
}
