/**
 * A dependency (the store, a queue) rejects the call or cannot be reached; a client may retry.
 * In its own file, so that code that only checks an error's type loads no SDK.
 */
export class Unavailable extends Error {}

/** The deadline of the request does not leave enough time for an answer. */
export class OutOfTime extends Unavailable {}

/** What is outside refuses the service itself, its access key for one: that lasts until an operator fixes it. The message says what to check. */
export class WrongSetup extends Unavailable {}

const passes = (error: unknown): boolean => error instanceof Unavailable && !(error instanceof WrongSetup);

/** Log level of a failure: `warn` if it is temporary, `error` if an operator must fix it. */
export const getLogLevel = (error: unknown): 'warn' | 'error' => (passes(error) ? 'warn' : 'error');

/** For work that can be done without what is outside: passes over its being unavailable, and nothing else. @throws the error, if it is another, or if an operator has to know of it */
export function unlessUnavailable(error: unknown): undefined {
  if (!passes(error)) throw error;
}
