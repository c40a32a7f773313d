/** Does `act` for every item, at most `most` at once; stops taking new ones when `signal` aborts. */
export async function inParallel<T>(
  items: Iterable<T>,
  most: number,
  act: (item: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const queue = Array.from(items).values();
  const work = async () => {
    for (const item of queue) {
      if (signal?.aborted) return;
      await act(item);
    }
  };
  await Promise.all(Array.from({ length: most }, work));
}
