import { ColumnReader } from '../matching/index.ts';
import type { Clock } from '../platform/clock.ts';
import { SNAPSHOT_SHAPE, type SnapshotColumns } from './snapshot-shape.ts';
import type { Snapshot, SnapshotStore } from './snapshot-store.ts';

/** Slices fetched at once. */
const AT_ONCE = 4;

/**
 * Reads a snapshot. Gives nothing where it is not whole. Called again after the store has failed it goes on with the slice that it had
 * come to.
 */
export function snapshotReader(
  snapshots: SnapshotStore,
  snapshot: Snapshot,
  clock: Pick<Clock, 'pause'>,
): () => Promise<SnapshotColumns | undefined> {
  const columns = new ColumnReader(SNAPSHOT_SHAPE, snapshot.lengths);
  let next = 0;
  const fetchSome = () => {
    const count = Math.min(AT_ONCE, snapshot.slices - next);
    return Promise.all(Array.from({ length: count }, (_, i) => snapshots.slice(snapshot, next + i)));
  };

  return async () => {
    while (next < snapshot.slices) {
      for (const unpacked of await fetchSome()) {
        if (!unpacked || !columns.take(unpacked)) return undefined;
        next++;
        await clock.pause();
      }
    }
    return columns.columns();
  };
}
