/** How long a request waits for what has changed when it could be answered without. */
const WAIT_MS = 100;
/** How long it waits where it could not: on an instance that is still learning the campaigns, or was frozen. */
const LONG_WAIT_MS = 300;
/** An instance without a request for so many refresh intervals was probably frozen: what it knows is old, its connections may be gone. */
const FROZEN_INTERVALS = 10;

/** Tells how long the request that came at a time may wait. */
export function waitLimit(refreshMs: number): (cameAt: number, isComplete: boolean) => number {
  let lastAskedAt = 0;
  let wokeAt = 0;
  return (cameAt, isComplete) => {
    if (cameAt - lastAskedAt > FROZEN_INTERVALS * refreshMs) wokeAt = cameAt;
    lastAskedAt = cameAt;
    return !isComplete || cameAt - wokeAt < LONG_WAIT_MS ? LONG_WAIT_MS : WAIT_MS;
  };
}
