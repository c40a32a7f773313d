import type { Clock } from '../platform/clock.ts';
import { yieldEvery } from '../platform/pauses.ts';
import { entryOf, lineReader, type SnapshotEntry } from './snapshot-slices.ts';
import type { Snapshot, SnapshotStore } from './snapshot-store.ts';

/** Slices fetched at once. */
const AT_ONCE = 4;

/**
 * Reads a snapshot. Gives whether it is whole; what was handed on of it is right in any case. Called again after the store has
 * failed it goes on with the slice that it had come to.
 */
export function snapshotReader(
  snapshots: SnapshotStore,
  snapshot: Snapshot,
  take: (entry: SnapshotEntry) => void,
  clock: Pick<Clock, 'now' | 'pause'>,
): () => Promise<boolean> {
  const linesOf = lineReader();
  let next = 0;
  const fetchSome = () => {
    const count = Math.min(AT_ONCE, snapshot.slices - next);
    return Promise.all(Array.from({ length: count }, (_, i) => snapshots.slice(snapshot, next + i)));
  };

  return async () => {
    while (next < snapshot.slices) {
      for (const unpacked of await fetchSome()) {
        if (!unpacked) return false;
        for await (const line of yieldEvery(linesOf(unpacked), clock)) {
          const entry = entryOf(line);
          if (!entry) return false;
          take(entry);
        }
        next++;
      }
    }
    return true;
  };
}
