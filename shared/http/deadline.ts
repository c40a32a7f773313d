import type { Clock } from '../platform/clock.ts';
import { withTimeout } from '../platform/timeout.ts';
import { OutOfTime, Unavailable } from '../platform/unavailable.ts';
import { ApiError } from './errors.ts';

/** The deadline of one request. Once it is over, the answer says so, and what the work still comes to is dropped; before, the answer is what the work came to. */
export interface Deadline<T> {
  /** When the answer has to leave, epoch milliseconds; Infinity where nothing says so. */
  readonly leavesAt: number;
  /** Whether the answer is that the time is over. */
  readonly isExpired: boolean;
  /** Waits for work until a moment, or until an earlier one that was given before. */
  until<W>(moment: number | undefined, work: () => Promise<W>): Promise<W | T>;
  /** The answer that the time is over, where that is the cause of a failure; undefined for any other, a mistake of ours always among them. */
  answerTo(error: Error): Promise<T> | undefined;
}

export function createDeadline<T>(clock: Pick<Clock, 'now' | 'timer'>, makeAnswer: () => Promise<T>): Deadline<T> {
  let leavesAt = Number.POSITIVE_INFINITY;
  let expired: Promise<T> | undefined;
  const expire = () => {
    expired ??= Promise.resolve().then(makeAnswer); // a moment later, when `isExpired` is true for it
    return expired;
  };
  return {
    get leavesAt() {
      return leavesAt;
    },
    get isExpired() {
      return expired !== undefined;
    },
    async until<W>(moment = leavesAt, work: () => Promise<W>) {
      if (moment >= leavesAt) return work();
      leavesAt = moment;
      const leftMs = moment - clock.now();
      return leftMs > 0 ? withTimeout<W | T>(clock, leftMs, work, expire) : expire();
    },
    answerTo(error) {
      const isLate = error instanceof Unavailable && (error instanceof OutOfTime || clock.now() >= leavesAt);
      return isLate || (expired && error instanceof ApiError) ? expire() : undefined;
    },
  };
}
