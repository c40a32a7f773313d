/** How long a request waits for what has changed when it could be answered without. */
const WAIT_MS = 100;
/** How long it waits where it could not: on an instance that is still learning the campaigns, or was frozen. */
const LONG_WAIT_MS = 300;
/** How long it waits where there is no bid without: what is known is too old. The store may be far away, and a bid's own write comes after it. */
const LONGEST_WAIT_MS = 500;
/** An instance without a request for so many refresh intervals was probably frozen: what it knows is old, its connections may be gone. */
const FROZEN_INTERVALS = 10;

interface KnownCatalog {
  /** Whether all campaigns are known, and whether that is too old to bid with. */
  isComplete: boolean;
  isTooOld: boolean;
}

/** Tells how long the request that came at a time may wait. */
export function waitLimit(refreshMs: number): (cameAt: number, known: KnownCatalog) => number {
  let lastAskedAt = 0;
  let wokeAt = 0;
  return (cameAt, { isComplete, isTooOld }) => {
    if (cameAt - lastAskedAt > FROZEN_INTERVALS * refreshMs) wokeAt = cameAt;
    lastAskedAt = cameAt;
    if (isComplete && isTooOld) return LONGEST_WAIT_MS;
    return !isComplete || cameAt - wokeAt < LONG_WAIT_MS ? LONG_WAIT_MS : WAIT_MS;
  };
}
