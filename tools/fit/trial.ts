import type { Message } from '../../shared/matching/index.ts';
import { type Figures, figures, judge } from '../evaluate/score.ts';
import type { Seen } from './examples.ts';
import { using, type Weights } from './weights.ts';

/** How well the engine bids on conversations with these weights, each campaign at its ceiling. */
export function trial(seen: readonly Seen[], weights: Weights): Figures {
  return using(weights, () =>
    figures(
      seen.map(({ stage: { index, campaigns }, row }) => {
        const ceilings = new Map(campaigns.map(({ id, ceiling }) => [id, ceiling]));
        const { silence, candidates } = index.match(row.messages as Message[], { bid: (id) => ceilings.get(id)! });
        const winner = silence === null ? campaigns.find(({ id }) => id === candidates[0]!.id) : undefined;
        return judge(row, winner?.labels ?? null);
      }),
    ),
  );
}
