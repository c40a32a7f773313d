import type { Message } from '../../shared/matching/index.ts';
import { figures, judgementOf, type ScoreFigures } from '../evaluate/score.ts';
import type { Seen } from './examples.ts';
import { using, type Weights } from './weights.ts';

/** How well the engine bids on conversations with these weights, each campaign at its ceiling. */
export function trial(seen: readonly Seen[], weights: Weights): ScoreFigures {
  return using(weights, () =>
    figures(
      seen.map(({ stage: { index, campaigns }, row }) => {
        const ceilings = new Map(campaigns.map(({ id, ceiling }) => [id, ceiling]));
        const { noBid, candidates } = index.match(row.messages as Message[], { bid: (id) => ceilings.get(id)! });
        const winner = noBid === null ? campaigns.find(({ id }) => id === candidates[0]!.id) : undefined;
        return judgementOf(row, winner?.labels ?? null);
      }),
    ),
  );
}
