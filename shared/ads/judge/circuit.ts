import type { Clock } from '../../platform/clock.ts';

/** The circuit opens at this many failures among the last calls. */
const WINDOW = 20;
const MAX_FAILURES = 10;
/** After this time, one request may try again. */
const OPEN_MS = 10_000;

/** Circuit breaker: stops calls to a service after too many failures. */
export function createCircuit({ now }: Pick<Clock, 'now'>) {
  let recent: boolean[] = [];
  let retryAt = 0;
  return {
    /** Whether to call now. While the circuit is open, allows one trial call per interval. */
    mayAsk(): boolean {
      if (retryAt === 0) return true;
      if (now() < retryAt) return false;
      retryAt = now() + OPEN_MS;
      return true;
    },

    /** Records the result of a call. @returns whether it opened the circuit */
    note(isSuccess: boolean): boolean {
      if (retryAt > 0) {
        recent = [];
        retryAt = isSuccess ? 0 : now() + OPEN_MS;
        return false;
      }
      recent = [...recent.slice(1 - WINDOW), isSuccess];
      const opens = recent.filter((success) => !success).length >= MAX_FAILURES;
      if (opens) retryAt = now() + OPEN_MS;
      return opens;
    },
  };
}
