import { ColumnReader } from '../matching/index.ts';
import type { Clock } from '../platform/clock.ts';
import { SNAPSHOT_SHAPE, type SnapshotColumns } from './snapshot-shape.ts';
import { unpack } from './snapshot-slices.ts';
import type { Snapshot, SnapshotStore } from './snapshot-store.ts';

/** Slices read by one call of the store: a call takes a millisecond of the processor beside what its bytes take. */
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

  const fetchFrom = (first: number) => {
    const count = Math.min(AT_ONCE, snapshot.slices - first);
    const slices = snapshots.slices(snapshot, first, count);
    slices.catch(() => {}); // told where it is waited for
    return slices;
  };

  return async () => {
    let fetched = next < snapshot.slices ? fetchFrom(next) : undefined;
    while (fetched) {
      const slices = await fetched;
      const after = next + slices.length;
      fetched = after < snapshot.slices ? fetchFrom(after) : undefined; // beside what is unpacked
      for (const slice of slices) {
        const unpacked = slice && unpack(slice);
        if (!unpacked || !columns.take(unpacked)) return undefined;
        next++;
        unpacked.buffer.transfer(0); // frees it now: sixty megabytes of it would have the whole heap looked through again and again
        await clock.pause();
      }
    }
    return columns.columns();
  };
}
