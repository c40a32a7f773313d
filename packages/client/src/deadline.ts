import { timeoutAfter } from './error.ts';

interface Deadline {
  /** Aborted when time is up, with an AdsError, or when the caller aborts, with the caller's reason. */
  signal: AbortSignal;
  /** Milliseconds that are left. */
  left(): number;
  /** To be called when all is done: nothing fires afterwards. */
  clear(): void;
}

/** What a timer can count to: a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The time that a call has in all, with its retries. @param given the caller's own signal */
export function startDeadline(ms: number, given: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const until = Date.now() + ms;
  const follow = () => controller.abort(given?.reason);
  const timer = setTimeout(() => controller.abort(timeoutAfter(ms)), Math.min(ms, LONGEST_TIMER_MS));
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
