import { type Micros, micros } from '../values/money.ts';
import type { Auction } from './auction.ts';

/** The step of a price: a thousandth of a US dollar, CPM. */
const STEP = 1_000;

/**
 * What the winner pays under second price: just enough to be ahead of the runner-up by bid x relevance, at least the floor, at most
 * its own bid; in whole steps, so that an impression costs whole micro-dollars.
 */
export function secondPrice({ winner, candidates }: Pick<Auction, 'winner' | 'candidates'>, floor: Micros): Micros {
  if (!winner) return micros(0);
  const others = candidates.filter(({ outcome }) => outcome === 'lower_rank');
  const runnerUp = Math.max(0, ...others.map(({ bid, relevance }) => (bid * relevance) / winner.relevance));
  const enough = Math.floor(runnerUp / STEP) * STEP + STEP;
  return micros(Math.min(winner.bid, Math.max(enough, Math.ceil(floor / STEP) * STEP)));
}
