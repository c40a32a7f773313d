import { timeoutAfter } from './error.ts';

interface Deadline {
  /** Aborts with an AdsError at the deadline, or with the caller's reason if the caller aborts first. */
  signal: AbortSignal;
  /** Milliseconds until the deadline. */
  left(): number;
  /** Releases the timer and the listener. */
  clear(): void;
}

/** setTimeout fires immediately for longer delays. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Starts the total time limit of a call, including retries. @param given the caller's own signal */
export function startDeadline(ms: number, given: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const until = Date.now() + ms;
  const follow = () => controller.abort(given?.reason);
  const timer = setTimeout(() => controller.abort(timeoutAfter(ms)), Math.min(ms, MAX_TIMER_MS));
  if (given?.aborted) follow();
  given?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    left: () => until - Date.now(),
    clear() {
      clearTimeout(timer);
      given?.removeEventListener('abort', follow);
    },
  };
}
