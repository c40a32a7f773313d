/**
 * Collects items by name until the next microtask, then passes on all items of each name together, so that one request to another service
 * can serve them all.
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
 * Shares reads between callers. A read always starts after the calls that it serves, so no caller gets data older than its call. Callers
 * that arrive during a read share the next one, which starts when the current one ends.
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
