import type { Message } from '../../shared/matching/index.ts';
import { judgementOf, type ScoredBid } from '../evaluate/score.ts';
import type { RowExamples } from './examples.ts';
import { using, type Weights } from './weights.ts';

/** How the engine bids on conversations with these weights, each campaign at its ceiling. */
export function judgeWith(seen: readonly RowExamples[], weights: Weights): ScoredBid[] {
  return using(weights, () =>
    seen.map(({ folder: { index, byId }, row }) => {
      const { noBid, candidates } = index.match(row.messages as Message[], {
        bid: (id) => byId.get(id)!.ceiling,
      });
      const winner = noBid === null ? byId.get(candidates[0]!.id) : undefined;
      return judgementOf(row, winner?.labels ?? null);
    }),
  );
}
