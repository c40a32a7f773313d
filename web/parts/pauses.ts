const MAX_PAUSE_MS = 60_000;

/** How long a poll waits for the next. */
interface Pauses {
  /** The next pause. It doubles up to a minute while nothing changes, and starts again at the shortest after a change. */
  afterValue(value: unknown): number;
  afterFailure(): number;
  /** Returns to the shortest pause. */
  hasten(): number;
  setShortest(ms: number): void;
}

export function createPauses(shortestMs: number): Pauses {
  let shortest = shortestMs;
  let next = shortestMs;
  let last: string | undefined;
  const lengthen = () => {
    next = Math.max(shortest, Math.min(MAX_PAUSE_MS, next * 2));
    return next;
  };
  return {
    afterValue(value) {
      const text = JSON.stringify(value);
      if (text === last) return lengthen();
      last = text;
      next = shortest;
      return next;
    },
    afterFailure: lengthen,
    hasten() {
      next = shortest;
      last = undefined;
      return next;
    },
    setShortest(ms) {
      shortest = ms;
    },
  };
}
