import type { Clock } from '../../platform/clock.ts';

/** Of so many answers, at least so many failures open the circuit: one in ten failing, it stays closed. */
const WINDOW = 20;
const MAX_FAILURES = 10;
/** How long nothing is asked; then one request tries. */
const OPEN_MS = 10_000;

/** Whether something that has failed often lately may be asked again. */
export function createCircuit({ now }: Pick<Clock, 'now'>) {
  let recent: boolean[] = [];
  let retryAt = 0;
  return {
    /** Whether to ask now; after a rest only the first to come is let through, until that one is answered. */
    mayAsk(): boolean {
      if (retryAt === 0) return true;
      if (now() < retryAt) return false;
      retryAt = now() + OPEN_MS;
      return true;
    },

    /** Takes note of an answer. @returns whether the circuit, closed before, opens by it */
    note(isRight: boolean): boolean {
      if (retryAt > 0) {
        recent = [];
        retryAt = isRight ? 0 : now() + OPEN_MS;
        return false;
      }
      recent = [...recent.slice(1 - WINDOW), isRight];
      const opens = recent.filter((right) => !right).length >= MAX_FAILURES;
      if (opens) retryAt = now() + OPEN_MS;
      return opens;
    },
  };
}
