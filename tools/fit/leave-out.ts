import type { Message } from '../../shared/matching/index.ts';
import { type ScoredBid, scoreRow } from '../evaluate/score.ts';
import type { RowExamples } from './examples.ts';
import { fitWeights } from './fit-weights.ts';
import { type Weights, withWeights } from './weights.ts';

/** Number of parts into which sources, and campaigns by their first label, are divided. */
const SOURCE_PARTS = 8;
const CAMPAIGN_PARTS = 3;

/** The campaign that would win at the lowest threshold, and its relevance; no labels if no campaign would bid. */
interface Winner {
  labels: readonly string[] | null;
  relevance: number;
}

/** A row's winners with weights fitted to all rows, and with weights fitted without its source and campaigns. */
export interface RowTrial {
  seen: RowExamples;
  fitted: Winner;
  heldOut: Winner;
}

/** Scores a row as if its winner bids only from a threshold on. */
export const scoreWinner = (row: RowExamples['row'], { labels, relevance }: Winner, threshold: number): ScoredBid =>
  scoreRow(row, relevance >= threshold ? labels : null);

/** Bids on each row with weights fitted to all rows, and with weights fitted without the row. */
export function crossValidate(all: readonly RowExamples[], weights: Weights): RowTrial[] {
  const fitted = bidWithWeights(all, weights);
  const heldOut = new Map<RowExamples, Winner>();
  const partOfSource = sourceParts(all);
  for (let sources = 0; sources < SOURCE_PARTS; sources++)
    for (let campaigns = 0; campaigns < CAMPAIGN_PARTS; campaigns++) {
      const isOut = ({ row }: RowExamples) => partOfSource.get(row.source) === sources && getRowPart(row) === campaigns;
      const own = all.filter(isOut);
      if (own.length === 0) continue;
      const others = all
        .filter(({ row }) => partOfSource.get(row.source) !== sources && getRowPart(row) !== campaigns)
        .map((seen) => withoutCampaigns(seen, campaigns));
      const judgements = bidWithWeights(own, fitWeights(others));
      for (const [i, seen] of own.entries()) heldOut.set(seen, judgements[i]!);
    }
  return all.map((seen, i) => ({ seen, fitted: fitted[i]!, heldOut: heldOut.get(seen)! }));
}

/** Assigns sources to parts: the largest source first, each to the smallest part. */
function sourceParts(all: readonly RowExamples[]): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const { row } of all) sizes.set(row.source, (sizes.get(row.source) ?? 0) + 1);
  const filled = new Array<number>(SOURCE_PARTS).fill(0);
  const parts = new Map<string, number>();
  for (const [source, size] of [...sizes].sort(([, one], [, other]) => other - one)) {
    const part = filled.indexOf(Math.min(...filled));
    parts.set(source, part);
    filled[part]! += size;
  }
  return parts;
}

const withoutCampaigns = (seen: RowExamples, part: number): RowExamples => ({
  ...seen,
  examples: seen.examples.filter(
    ({ campaign }) => hashToPart(seen.folder.campaigns[campaign]?.labels[0] ?? '') !== part,
  ),
});

/** The part of a row's gold label; a row without one may be in any part. */
const getRowPart = ({ gold, id }: RowExamples['row']): number => hashToPart(gold[0] ?? id);

function hashToPart(name: string): number {
  let hash = 0;
  for (const character of name) hash = (31 * hash + character.charCodeAt(0)) >>> 0;
  return (hash >>> 4) % CAMPAIGN_PARTS;
}

/** Below this relevance, no publisher gets a bid. */
const MIN_THRESHOLD = 0.1;

/** The winners of conversations with these weights, each campaign at its maximum bid. */
export function bidWithWeights(seen: readonly RowExamples[], weights: Weights): Winner[] {
  return withWeights(weights, () =>
    seen.map(({ folder: { index, byId }, row }) => {
      const { noBid, candidates } = index.match(row.messages as Message[], {
        bid: (id) => byId.get(id)!.ceiling,
        threshold: MIN_THRESHOLD,
      });
      const [best] = candidates;
      return noBid === null && best
        ? { labels: byId.get(best.id)!.labels, relevance: best.relevance }
        : { labels: null, relevance: 0 };
    }),
  );
}
