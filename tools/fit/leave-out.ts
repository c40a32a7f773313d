import type { ScoredBid } from '../evaluate/score.ts';
import type { RowExamples } from './examples.ts';
import { fitWeights } from './fit-weights.ts';
import { judgeWith } from './judge-with.ts';
import type { Weights } from './weights.ts';

/** Parts that the sources, and the campaigns by their first label, are cut into. */
const SOURCE_PARTS = 8;
const CAMPAIGN_PARTS = 3;

/** A judged row: how the engine fares with weights fitted to all, and with weights that have seen neither its source nor its campaign. */
export interface RowTrial {
  seen: RowExamples;
  known: ScoredBid;
  unknown: ScoredBid;
}

/** Tries each row with weights that have seen it, and with weights that have not. */
export function leaveOut(all: readonly RowExamples[], weights: Weights): RowTrial[] {
  const known = judgeWith(all, weights);
  const unknown = new Map<RowExamples, ScoredBid>();
  const partOfSource = sourceParts(all);
  for (let sources = 0; sources < SOURCE_PARTS; sources++)
    for (let campaigns = 0; campaigns < CAMPAIGN_PARTS; campaigns++) {
      const isOut = ({ row }: RowExamples) => partOfSource.get(row.source) === sources && partOfRow(row) === campaigns;
      const own = all.filter(isOut);
      if (own.length === 0) continue;
      const others = all
        .filter(({ row }) => partOfSource.get(row.source) !== sources && partOfRow(row) !== campaigns)
        .map((seen) => withoutCampaigns(seen, campaigns));
      const judgements = judgeWith(own, fitWeights(others));
      for (const [i, seen] of own.entries()) unknown.set(seen, judgements[i]!);
    }
  return all.map((seen, i) => ({ seen, known: known[i]!, unknown: unknown.get(seen)! }));
}

/** By source, its part: the largest first, each into the part that is smallest so far. */
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
  examples: seen.examples.filter(({ campaign }) => partOf(seen.folder.campaigns[campaign]?.labels[0] ?? '') !== part),
});

/** A row belongs to the part of what it wants; one that wants nothing to any. */
const partOfRow = ({ gold, id }: RowExamples['row']): number => partOf(gold[0] ?? id);

function partOf(name: string): number {
  let hash = 0;
  for (const character of name) hash = (31 * hash + character.charCodeAt(0)) >>> 0;
  return (hash >>> 4) % CAMPAIGN_PARTS;
}
