import type { Clock } from '../platform/clock.ts';

/** A reading ends itself by then, and the next request goes on from where it was: the runtime cuts off what runs 30 s after an answer. */
const READING_MS = 20_000;
/** What has not ended by then never will: it was cut off with its request. */
const CUT_OFF_MS = 45_000;

export type EdgeReading = ReturnType<typeof createEdgeReading>;

/**
 * What one request reads of the campaigns for all of them. Its sockets and promises end with that request, so no other request may
 * wait for it, or read at the same time. The catalog runs all that may outlive a request by `within`: that is how it is seen here.
 */
export function createEdgeReading(clock: Clock) {
  const underWay = new Set<Promise<unknown>>();
  let [begunAt, endedAt] = [0, 0];

  const within: Clock['within'] = (deadline, work) => {
    const result = clock.within(Math.min(deadline, clock.now() + READING_MS), work);
    if (result instanceof Promise) {
      underWay.add(result);
      const end = () => {
        if (underWay.delete(result)) endedAt = clock.now();
      };
      result.then(end, end);
    }
    return result;
  };

  return {
    /** The clock for a catalog. */
    clock: { ...clock, within } satisfies Clock,
    isUnderWay: (): boolean => underWay.size > 0,
    isCutOff: (): boolean => underWay.size > 0 && clock.now() - begunAt >= CUT_OFF_MS,
    /** How long ago the last one ended. */
    sinceEndMs: (): number => clock.now() - endedAt,
    /** Says that the request that runs now reads; whatever was under way is not waited for any longer. */
    begin(): void {
      underWay.clear();
      begunAt = clock.now();
    },
    forget: (): void => underWay.clear(),
  };
}
