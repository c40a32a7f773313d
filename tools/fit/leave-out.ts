import type { ScoreFigures } from '../evaluate/score.ts';
import type { Seen } from './examples.ts';
import { fitWeights } from './fit-weights.ts';
import { trial } from './trial.ts';
import type { Weights } from './weights.ts';

/** How the engine bids on one source. */
interface SourceTrial {
  source: string;
  /** With weights fitted to all sources. */
  known: ScoreFigures;
  /** With weights fitted to all others; undefined where there is none. */
  unknown: ScoreFigures | undefined;
}

/** Tries each source with weights that have seen it and with weights that have not. */
export function leaveOut(seen: readonly Seen[], weights: Weights): SourceTrial[] {
  return [...new Set(seen.map(({ row }) => row.source))].map((source) => {
    const own = seen.filter(({ row }) => row.source === source);
    const others = seen.filter(({ row }) => row.source !== source);
    return {
      source,
      known: trial(own, weights),
      unknown: others.length === 0 ? undefined : trial(own, fitWeights(others)),
    };
  });
}
