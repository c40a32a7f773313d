import { Unavailable } from '../../shared/platform/unavailable.ts';
import { Conflict, type Gate } from './database.ts';

/** What a store does with what it is asked at the moment that it happens: carry it out, or fail. */
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
 * Everything at once, in an order of its own: whoever asks the database waits before it happens and again before the answer
 * comes, and the seed says who goes on next.
 */
export function interleave(random: () => number, fate = noFault): Gate {
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
      return fate(act);
    } finally {
      await turn();
    }
  };
}

/** Budgets that open in shards at once, small enough for grants, closings, and exhaustion within some dozens of charges. */
export const SHARDS = {
  /** Bids outlive the pauses after conflicts, which elapse for all at once. */
  settings: { BUDGET_SHARDS: 'true', BID_TTL_SECONDS: '86400' },
  sizes: { maxShards: 4, share: 0.5, minImpressions: 1 },
  /** A gate behind which transactions sometimes conflict. */
  gate:
    (gate: Gate, random: () => number): Gate =>
    (asked, act) =>
      gate(asked, () => {
        if (asked.method === 'transact' && random() < 0.6) throw new Conflict();
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
