/** Does something with every item, so many at once. The first failure is thrown. */
export async function mapConcurrent<T>(
  count: number,
  items: readonly T[],
  act: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const lane = async () => {
    for (const item of rest) await act(item);
  };
  await Promise.all(Array.from({ length: count }, lane));
}
