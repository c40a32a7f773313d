import type { Clock } from '../platform/clock.ts';

/** The runtime stops what still runs 30 s after an answer. A reading ends by itself before that, and the next request goes on from where it was. */
const MOST_MS = 20_000;
/** A reading that has not ended by then was stopped, and never will. */
const STOPPED_MS = 45_000;
/** While a reading is under way, others bid with campaigns as they were so long ago at most. */
const MOST_AGE_MS = 60_000;

/**
 * The one reading of the campaigns that may be under way, and all that depends on its time. The request that begins it reads for all: its
 * promises and sockets end with it, so no other request may wait for it.
 *
 * The catalog runs everything that it reads by `clock.within`. So it is given a clock that counts what has begun there and has not ended.
 */
export function createEdgeReading(clock: Clock) {
  let current = { begunAt: clock.now(), running: 0 };
  let endedAt = 0;

  const within: Clock['within'] = (deadline, work) => {
    const result = clock.within(Math.min(deadline, clock.now() + MOST_MS), work);
    if (!(result instanceof Promise)) return result;
    const reading = current;
    reading.running++;
    const end = () => {
      reading.running--;
      if (reading === current && reading.running === 0) endedAt = clock.now();
    };
    result.then(end, end);
    return result;
  };

  /** Whatever runs counts no longer: from here on what is run belongs to a new reading. */
  function beginAnew(): void {
    current = { begunAt: clock.now(), running: 0 };
  }

  return {
    clock: { ...clock, within } satisfies Clock,
    beginAnew,

    /** Begins a reading, or not: `other` while another is under way, `stopped` in the place of one that never ends. */
    begin(): 'begun' | 'stopped' | 'other' {
      const isUnderWay = current.running > 0;
      const isStopped = isUnderWay && clock.now() - current.begunAt >= STOPPED_MS;
      if (isUnderWay && !isStopped) return 'other';
      beginAnew();
      return isStopped ? 'stopped' : 'begun';
    },

    /** Whether what is known is too old to bid with, for want of a reading that another request began. */
    isOverdue: (): boolean => current.running > 0 && clock.now() - endedAt >= MOST_AGE_MS,
  };
}
