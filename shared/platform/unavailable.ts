/**
 * A dependency (the store, a queue) rejects the call or cannot be reached; a client may retry.
 * In its own file, so that code that only checks an error's type loads no SDK.
 */
export class Unavailable extends Error {}

/** A store or queue rejects this service, for example its access key, until an operator fixes it. The message says what to check. */
export class WrongSetup extends Unavailable {}

const isTemporary = (error: unknown): boolean => error instanceof Unavailable && !(error instanceof WrongSetup);

/** Log level of a failure: `warn` if it is temporary, `error` if an operator must fix it. */
export const getLogLevel = (error: unknown): 'warn' | 'error' => (isTemporary(error) ? 'warn' : 'error');

/** For optional calls: ignores temporary unavailability. @throws any other error, and `WrongSetup`, which an operator must see */
export function unlessUnavailable(error: unknown): undefined {
  if (!isTemporary(error)) throw error;
}
