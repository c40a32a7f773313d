/** What a row expects: an ad, no ad, or optionally an ad (no bid is fine, a wrong bid is not). */
export type Kind = 'positive' | 'negative' | 'optional';
/** The result of a row: no bid, a bid of a campaign with a gold label, or a bid of another campaign. */
export type Correctness = 'none' | 'right' | 'wrong';
export interface ScoredBid {
  kind: Kind;
  outcome: Correctness;
}

/** Scores one row. @param labels of the campaign that bid; null without a bid; empty for a campaign not from the folder */
export function scoreRow(
  { gold, optional }: { gold: readonly string[]; optional: boolean },
  labels: readonly string[] | null,
): ScoredBid {
  const kind = gold.length === 0 ? 'negative' : optional ? 'optional' : 'positive';
  if (!labels) return { kind, outcome: 'none' };
  return { kind, outcome: gold.some((label) => labels.includes(label)) ? 'right' : 'wrong' };
}

/** Shares are from 0 to 1, and 0 if the denominator is 0. */
export interface ScoreFigures {
  rows: number;
  positives: number;
  negatives: number;
  optionals: number;
  bids: number;
  noBids: number;
  /** Correct bids on positive and optional rows, divided by all bids. */
  precision: number;
  /** Correct bids on positive rows, divided by all positive rows. */
  recall: number;
  f1: number;
  /** Bids on negative rows, divided by all negative rows. */
  falseBids: number;
  falseBidRate: number;
}

/** Computes the figures of scored rows. */
export function computeFigures(judgements: Iterable<ScoredBid>): ScoreFigures {
  const count = {
    positive: { none: 0, right: 0, wrong: 0 },
    negative: { none: 0, right: 0, wrong: 0 },
    optional: { none: 0, right: 0, wrong: 0 },
  };
  for (const { kind, outcome } of judgements) count[kind][outcome]++;
  const { positive, negative, optional } = count;

  const positives = sum(positive);
  const negatives = sum(negative);
  const optionals = sum(optional);
  const noBids = positive.none + negative.none + optional.none;
  const rows = positives + negatives + optionals;
  const bids = rows - noBids;
  const precision = share(positive.right + optional.right, bids);
  const recall = share(positive.right, positives);
  return {
    rows,
    positives,
    negatives,
    optionals,
    bids,
    noBids,
    precision,
    recall,
    f1: share(2 * precision * recall, precision + recall),
    falseBids: negative.wrong,
    falseBidRate: share(negative.wrong, negatives),
  };
}

const sum = ({ none, right, wrong }: Record<Correctness, number>): number => none + right + wrong;
const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
