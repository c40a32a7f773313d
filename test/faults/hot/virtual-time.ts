import type { Clock } from '../../../shared/platform/clock.ts';
import { createDeadlines } from '../../../shared/platform/deadlines.ts';

interface Due {
  at: number;
  call: () => void;
}

/** A virtual clock: time jumps to the next timer when no other work is left. */
export function virtualTime(start: number) {
  let now = start;
  let order = 0;
  const due: (Due & { order: number })[] = [];
  const isBefore = (a: number, b: number) =>
    due[a]!.at < due[b]!.at || (due[a]!.at === due[b]!.at && due[a]!.order < due[b]!.order);
  const swap = (a: number, b: number) => {
    [due[a], due[b]] = [due[b]!, due[a]!];
  };

  /** Adds to a binary heap whose first entry is due first. */
  function push(one: Due): void {
    let at = due.push({ ...one, order: order++ }) - 1;
    for (let parent = (at - 1) >> 1; at > 0 && isBefore(at, parent); parent = (at - 1) >> 1) {
      swap(at, parent);
      at = parent;
    }
  }
  function pop(): Due | undefined {
    if (due.length === 0) return undefined;
    swap(0, due.length - 1);
    const first = due.pop();
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < due.length && isBefore(left, least)) least = left;
      if (right < due.length && isBefore(right, least)) least = right;
      if (least === at) return first;
      swap(at, least);
      at = least;
    }
  }

  const after = (ms: number, call: () => void) => push({ at: now + ms, call });
  const clock: Clock = {
    ...createDeadlines(),
    now: () => Math.floor(now),
    sleep: (ms) => new Promise((resolve) => after(ms, resolve)),
    pause: async () => {},
    timer(ms, call) {
      const timer: { call?: () => void } = { call };
      after(ms, () => timer.call?.());
      return () => {
        delete timer.call;
      };
    },
  };
  return {
    clock,
    /** The time in milliseconds with fractions. */
    exactly: () => now,
    after,
    /** Advances time until no timer is left. */
    async run(): Promise<void> {
      for (let next = pop(); next; next = pop()) {
        now = next.at;
        next.call();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}
