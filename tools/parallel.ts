/**
 * Calls `act` for every item, at most `concurrency` at a time. Starts no more after `signal` aborts or a call fails, and waits for all
 * started calls. @throws the first error
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
