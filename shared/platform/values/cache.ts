/** Remembers values that weigh so much together at most; the oldest make room. */
export function createKept<K, V>(maxSize: number) {
  const known = new Map<K, { value: V; weight: number }>();
  let whole = 0;

  return {
    get: (key: K): V | undefined => known.get(key)?.value,

    keep(key: K, value: V, weight: number): void {
      whole += weight - (known.get(key)?.weight ?? 0);
      known.set(key, { value, weight });
      for (const [oldest, { weight: freed }] of known) {
        if (whole <= maxSize) return;
        known.delete(oldest);
        whole -= freed;
      }
    },
  };
}

/** What a value of texts weighs. */
export const countCharacters = (value: object): number => JSON.stringify(value).length;

/** Remembers a value in a map of at most so many, the oldest of which makes room. */
export function remember<K, V>(known: Map<K, V>, key: K, value: V, maxSize: number): void {
  known.set(key, value);
  if (known.size > maxSize) known.delete(known.keys().next().value!);
}
