import { remember } from '../platform/values/remember.ts';

/** Forgetting a full window costs one write at most, so the memory of them need not be clever. */
const MOST_REMEMBERED = 10_000;

/** What one instance knows of full windows, and until when: asking the store about them would only cost a write. */
export function createKnownFull() {
  const until = new Map<string, number>();
  return {
    remember: (window: string, opensAt: number): void => remember(until, window, opensAt, MOST_REMEMBERED),
    /** Milliseconds until the window opens; 0 when it is not known to be full. */
    waitMs: (window: string, now: number): number => Math.max(0, (until.get(window) ?? 0) - now),
  };
}
