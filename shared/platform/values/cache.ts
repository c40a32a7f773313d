/** Creates a cache with a maximum total weight. It evicts the oldest values first. */
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

/** Weight of a cached value: its length as JSON. */
export const countCharacters = (value: object): number => JSON.stringify(value).length;

/** Sets a value in a map, and deletes the oldest one if the map exceeds `maxSize`. */
export function remember<K, V>(known: Map<K, V>, key: K, value: V, maxSize: number): void {
  known.set(key, value);
  if (known.size > maxSize) known.delete(known.keys().next().value!);
}
