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

/**
 * Reads that those who ask in the meantime share: each begins after everybody who gets what it finds has asked. Who asks while one is
 * under way has the next, which begins when that is over.
 */
export function createLaterReads<T>() {
  interface PendingRead {
    now: Promise<T>;
    next?: Promise<T>;
  }
  const underWay = new Map<string, PendingRead>();

  function begin(name: string, read: () => Promise<T>): Promise<T> {
    const reading: PendingRead = { now: read() };
    underWay.set(name, reading);
    const end = () => {
      if (!reading.next) underWay.delete(name);
    };
    reading.now.then(end, end);
    return reading.now;
  }

  return (name: string, read: () => Promise<T>): Promise<T> => {
    const reading = underWay.get(name);
    if (!reading) return begin(name, read);
    const again = () => begin(name, read);
    reading.next ??= reading.now.then(again, again);
    return reading.next;
  };
}
