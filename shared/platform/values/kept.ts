/** Remembers values that weigh so much together at most; the oldest make room. */
export function createKept<K, V>(most: number) {
  const known = new Map<K, { value: V; weight: number }>();
  let whole = 0;

  return {
    get: (key: K): V | undefined => known.get(key)?.value,

    keep(key: K, value: V, weight: number): void {
      whole += weight - (known.get(key)?.weight ?? 0);
      known.set(key, { value, weight });
      for (const [oldest, { weight: freed }] of known) {
        if (whole <= most) return;
        known.delete(oldest);
        whole -= freed;
      }
    },
  };
}

/** What a value of texts weighs. */
export const charactersOf = (value: object): number => JSON.stringify(value).length;
