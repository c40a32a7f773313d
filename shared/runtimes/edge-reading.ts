import type { Clock } from '../platform/clock.ts';

/** The runtime stops what still runs 30 s after an answer. A reading ends by itself before that, and the next request goes on from where it was. */
const MOST_MS = 20_000;
/** A reading that has not ended by then was stopped, and never will. */
const STOPPED_MS = 45_000;

/**
 * Keeps account of the one reading of the campaigns that may be under way. The request that begins it reads for all: its promises and
 * sockets end with it, so no other request may wait for it.
 *
 * The catalog runs everything that it reads by `clock.within`. So it is given a clock that counts what has begun there and has not ended.
 */
export function createEdgeReading(clock: Clock) {
  let current = { begunAt: 0, running: 0 };
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

  return {
    clock: { ...clock, within } satisfies Clock,
    isUnderWay: (): boolean => current.running > 0,
    wasStopped: (): boolean => current.running > 0 && clock.now() - current.begunAt >= STOPPED_MS,
    /** How long ago the last one ended. */
    sinceEndMs: (): number => clock.now() - endedAt,
    /** From here on what is run belongs to a new reading; whatever ran before counts no longer. */
    begin(): void {
      current = { begunAt: clock.now(), running: 0 };
    },
  };
}
