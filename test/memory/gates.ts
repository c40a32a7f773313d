import { Unavailable } from '../../shared/platform/unavailable.ts';
import { Conflict, type Gate } from './database.ts';

/** Wraps a store call: applies it, or fails before or after it. */
type Fault = <T>(act: () => T) => T;

const noFault: Fault = (act) => act();

/** A store that sometimes rejects a call, and sometimes applies it and then loses the response. */
export const unreliableFault =
  (random: () => number, refused: number, lost: number): Fault =>
  (act) => {
    const drawn = random();
    if (drawn < refused) throw new Unavailable('refused');
    const answer = act();
    if (drawn < refused + lost) throw new Unavailable('the answer was lost');
    return answer;
  };

/**
 * Interleaves concurrent calls: each waits before it takes effect and again before its response, and the seed picks the call that
 * continues next.
 */
export function interleave(random: () => number, fault = noFault): Gate {
  const waiting: (() => void)[] = [];
  let running = false;
  const step = () => {
    const [next] = waiting.splice(Math.floor(random() * waiting.length), 1);
    next!();
    if (waiting.length > 0) setImmediate(step);
    else running = false;
  };
  const turn = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (!running) {
        running = true;
        setImmediate(step);
      }
    });
  return async (_, act) => {
    await turn();
    try {
      return fault(act);
    } finally {
      await turn();
    }
  };
}

/** Budgets that open shards immediately, small enough for grants, closing, and exhaustion within a few dozen charges. */
export const SHARDS = {
  /** Bids must outlive the pauses after conflicts, because the pause of one caller advances the clock of all. */
  settings: { BUDGET_SHARDS: 'true', BID_TTL_SECONDS: '86400' },
  sizes: { maxShards: 4, share: 0.5, minImpressions: 1 },
  /** A gate behind which transactions sometimes conflict. */
  gate:
    (gate: Gate, random: () => number): Gate =>
    (call, act) =>
      gate(call, () => {
        if (call.method === 'transact' && random() < 0.6) throw new Conflict();
        return act();
      }),
};

class Crash extends Error {}

/** The process crashes at its nth database call: before the call, or after it, before the response. */
export function crashAt(nth: number, when: 'before' | 'after'): { gate: Gate; crashed(): boolean } {
  let count = 0;
  let crashed = false;
  return {
    crashed: () => crashed,
    async gate(_, act) {
      const mine = ++count === nth;
      if (crashed || (mine && when === 'before')) {
        crashed = true;
        throw new Crash('the process is gone');
      }
      const answer = act();
      if (mine) {
        crashed = true;
        throw new Crash('the process is gone');
      }
      return answer;
    },
  };
}
