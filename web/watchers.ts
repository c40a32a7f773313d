/** Functions to call on each change. */
interface Watchers<A extends unknown[] = []> {
  tell(...about: A): void;
  /** Returns a function that stops it. */
  watch(call: (...about: A) => void): () => void;
}

export function createWatchers<A extends unknown[] = []>(): Watchers<A> {
  const calls = new Set<(...about: A) => void>();
  return {
    tell(...about) {
      for (const call of calls) call(...about);
    },
    watch(call) {
      calls.add(call);
      return () => calls.delete(call);
    },
  };
}
