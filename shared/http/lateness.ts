import type { Clock } from '../platform/clock.ts';
import { withTimeout } from '../platform/timeout.ts';
import { OutOfTime, Unavailable } from '../platform/unavailable.ts';
import { ApiError } from './errors.ts';

/**
 * The time of one request. Its answer is what its work comes to, or from a moment on that the time is over: one of them, and nobody is told of the
 * other.
 */
export interface Lateness<T> {
  /** When the answer has to leave, epoch milliseconds; Infinity where nothing says so. */
  readonly leavesAt: number;
  /** Whether it was answered that the time is over. */
  readonly isSaid: boolean;
  /** Waits for work until a moment, or until an earlier one that was given before. */
  until<W>(moment: number | undefined, work: () => Promise<W>): Promise<W | T>;
  /** The answer that the time is over in the place of a failure that is none any more; a mistake of ours always is one. */
  instead(error: Error): Promise<T> | undefined;
}

export function createLateness<T>(clock: Pick<Clock, 'now' | 'timer'>, makeAnswer: () => Promise<T>): Lateness<T> {
  let leavesAt = Number.POSITIVE_INFINITY;
  let said: Promise<T> | undefined;
  const say = () => {
    said ??= Promise.resolve().then(makeAnswer); // which finds it said
    return said;
  };
  return {
    get leavesAt() {
      return leavesAt;
    },
    get isSaid() {
      return said !== undefined;
    },
    async until<W>(moment = leavesAt, work: () => Promise<W>) {
      if (moment >= leavesAt) return work();
      leavesAt = moment;
      const leftMs = moment - clock.now();
      return leftMs > 0 ? withTimeout<W | T>(clock, leftMs, work, say) : say();
    },
    instead(error) {
      const isLate = error instanceof Unavailable && (error instanceof OutOfTime || clock.now() >= leavesAt);
      return isLate || (said && error instanceof ApiError) ? say() : undefined;
    },
  };
}
