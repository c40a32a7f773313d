/**
 * What is outside (the store, a queue) refuses or cannot be reached for now; a client may try again.
 * In a file of its own, so that whoever only asks what an error is loads no SDK.
 */
export class Unavailable extends Error {}

/** It cannot answer in the time that the request has. */
export class OutOfTime extends Unavailable {}

/** For work that can be done without what is outside: passes over its being unavailable, and nothing else. @throws the error, if it is another */
export function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof Unavailable)) throw error;
}
