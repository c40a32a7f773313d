/** What a row asks for: an ad, no ad, or either (no bid is fine, a wrong one is not). */
export type Kind = 'positive' | 'negative' | 'optional';
/** What the service did: no bid, a bid of a campaign with a label of the gold, a bid of another. */
export type Correctness = 'none' | 'right' | 'wrong';
export interface ScoredBid {
  kind: Kind;
  outcome: Correctness;
}

/** Judges one row. @param labels of the campaign that bid; null without a bid; none for a campaign not of the folder */
export function scoreRow(
  { gold, optional }: { gold: readonly string[]; optional: boolean },
  labels: readonly string[] | null,
): ScoredBid {
  const kind = gold.length === 0 ? 'negative' : optional ? 'optional' : 'positive';
  if (!labels) return { kind, outcome: 'none' };
  return { kind, outcome: gold.some((label) => labels.includes(label)) ? 'right' : 'wrong' };
}

/** Shares are 0 to 1, and 0 where there is nothing to share. */
export interface ScoreFigures {
  rows: number;
  positives: number;
  negatives: number;
  optionals: number;
  bids: number;
  noBids: number;
  /** Right bids on positive and optional rows, of all bids. */
  precision: number;
  /** Right bids on positive rows, of all positive rows. */
  recall: number;
  f1: number;
  /** Bids on negative rows. */
  falseBids: number;
  falseBidRate: number;
}

/** The figures of a number of judged rows. */
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
