import { type Micros, micros } from '../../platform/values/money.ts';
import type { AuctionCandidate } from './auction.ts';

/** The step of a price: a thousandth of a US dollar, CPM. */
const PRICE_STEP = 1_000;

/**
 * What the winner pays under second price: just enough to stay ahead of the runner-up by bid x relevance, at least the floor, at most
 * its own bid. Whole steps make an impression cost whole micro-dollars.
 */
export function getSecondPrice(
  winner: AuctionCandidate,
  candidates: readonly AuctionCandidate[],
  floor: Micros,
): Micros {
  const others = candidates.filter(({ outcome }) => outcome === 'lower_rank');
  const runnerUp = Math.max(0, ...others.map(({ bid, relevance }) => (bid * relevance) / winner.relevance));
  const enough = Math.floor(runnerUp / PRICE_STEP) * PRICE_STEP + PRICE_STEP;
  return micros(Math.min(winner.bid, Math.max(enough, Math.ceil(floor / PRICE_STEP) * PRICE_STEP)));
}
