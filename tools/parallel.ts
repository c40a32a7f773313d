/**
 * Does `act` for every item, at most `most` at once. It begins no more of them when `signal` aborts or one fails, and is
 * over when all that began are: nothing goes on behind its back. @throws what the first failure threw
 */
export async function inParallel<T>(
  items: Iterable<T>,
  concurrency: number,
  act: (item: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const queue = Array.from(items).values();
  const failures: unknown[] = [];
  const work = async () => {
    for (const item of queue) {
      if (signal?.aborted || failures.length > 0) return;
      await act(item).catch((error) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  if (failures.length > 0) throw failures[0];
}
