import type { Message } from '../../shared/matching/index.ts';
import { type Judgement, judgementOf } from '../evaluate/score.ts';
import type { Seen } from './examples.ts';
import { using, type Weights } from './weights.ts';

/** How the engine bids on conversations with these weights, each campaign at its ceiling. */
export function trial(seen: readonly Seen[], weights: Weights): Judgement[] {
  return using(weights, () =>
    seen.map(({ stage: { index, campaigns }, row }) => {
      const { noBid, candidates } = index.match(row.messages as Message[], {
        bid: (id) => campaigns.find((campaign) => campaign.id === id)!.ceiling,
      });
      const winner = noBid === null ? campaigns.find(({ id }) => id === candidates[0]!.id) : undefined;
      return judgementOf(row, winner?.labels ?? null);
    }),
  );
}
