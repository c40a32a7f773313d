/**
 * Takes things one by one and hands on what came in the same moment, that is before anything else had its turn: all of a name at once,
 * so that one call of something outside can do for all.
 */
export function inSameMoment<N, T>(handOn: (name: N, all: readonly T[]) => void): (name: N, one: T) => void {
  const waiting = new Map<N, T[]>();
  return (name, one) => {
    const others = waiting.get(name);
    if (others) {
      others.push(one);
      return;
    }
    const all = [one];
    waiting.set(name, all);
    queueMicrotask(() => {
      waiting.delete(name);
      handOn(name, all);
    });
  };
}
