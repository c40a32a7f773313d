/** Remembers a value in a map of at most so many, the oldest of which makes room. */
export function remember<K, V>(known: Map<K, V>, key: K, value: V, most: number): void {
  known.set(key, value);
  if (known.size > most) known.delete(known.keys().next().value!);
}
